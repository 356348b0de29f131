import { chakra } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CountList } from '@/components/CountList';
import { Dialog } from '@/components/Dialog';
import { ApiError } from '@/lib/api/errors';
import { formatCount } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import { useImportContacts } from './api';
import type { ImportedContacts } from './types';

const LINES = ['created', 'updated', 'existing', 'invalid'] as const;

/**
 * Asks first, then shows the result of importing the phone's address book, or the reason of a
 * failure.
 */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['contacts', 'common']);
  const { mutate, data, error, isPending } = useImportContacts();
  // A retry can help if the phone was asleep, but not for a number without an address book.
  const isHopeless = error instanceof ApiError && error.code === 'ERR_CONTACTS_NOT_LISTABLE';
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={t('import.title')}
      footer={
        data || isHopeless ? (
          <Button onClick={onClose}>{t('common:actions.close')}</Button>
        ) : (
          <>
            <Button variant="outline" onClick={onClose}>
              {t('common:actions.cancel')}
            </Button>
            <Button loading={isPending} onClick={() => mutate()}>
              {error ? t('common:actions.retry') : t('import.submit')}
            </Button>
          </>
        )
      }
    >
      {data ? (
        <Result result={data} />
      ) : (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('import.text')}
        </chakra.p>
      )}
      {error && (
        <chakra.div
          role="alert"
          display="flex"
          gap="2.5"
          mt="4"
          p="3"
          borderRadius="md"
          textStyle="sm"
          bg="status.danger.subtle"
          color="status.danger.fg"
        >
          <chakra.span flexShrink="0" mt="0.5" aria-hidden>
            <CircleAlert size={16} />
          </chakra.span>
          {errorMessage(error)}
        </chakra.div>
      )}
    </Dialog>
  );
}

function Result({ result }: { result: ImportedContacts }) {
  const { t } = useTranslation('contacts');
  return (
    <chakra.div role="status">
      <chakra.p textStyle="md" fontWeight="semibold">
        {t('import.done', { count: result.created, shown: formatCount(result.created) })}
      </chakra.p>
      <chakra.div mt="3">
        <CountList
          lines={LINES.map((line) => ({
            id: line,
            label: t(`import.${line}`),
            count: result[line],
          }))}
        />
      </chakra.div>
    </chakra.div>
  );
}
