import { chakra } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Facts } from '@/components/Facts';
import { formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useResendEmail } from './api';
import { StatusBadge } from './status';
import type { Email } from './types';

/** An e-mail with its status, and a retry button if it failed. */
export function EmailDialog({ email, onClose }: { email: Email; onClose: () => void }) {
  const { t } = useTranslation(['emails', 'common']);
  const { mutateAsync, isPending } = useResendEmail();
  const resend = async () => {
    try {
      await mutateAsync(email.id);
      toast.success(t('resent'));
    } catch (error) {
      toast.error(error);
    }
  };
  const isDelayed = email.status === 'waiting' && email.reason !== '';
  return (
    <Dialog
      open
      onClose={onClose}
      title={email.subject}
      footer={
        <>
          <CancelButton>{t('common:actions.close')}</CancelButton>
          {email.status === 'failed' && (
            <Button icon={<RotateCw size={16} />} loading={isPending} onClick={() => void resend()}>
              {t('resend')}
            </Button>
          )}
        </>
      }
    >
      <Facts
        beside
        facts={[
          { term: t('panel.to'), value: email.sender },
          { term: t('panel.from'), value: email.authorName },
          { term: t('panel.when'), value: formatDateTime(email.createdAt) },
          { term: t('columns.status'), value: <StatusBadge status={email.status} /> },
          ...(email.sentAt
            ? [{ term: t('panel.sentAt'), value: formatDateTime(email.sentAt) }]
            : []),
        ]}
      />
      {(email.status === 'failed' || isDelayed) && (
        <chakra.div
          mt="4"
          px="3"
          py="2"
          borderRadius="md"
          textStyle="sm"
          overflowWrap="anywhere"
          {...(isDelayed
            ? { bg: 'status.waiting.subtle', color: 'status.waiting.fg' }
            : { bg: 'status.danger.subtle', color: 'status.danger.fg' })}
        >
          <p>{isDelayed ? t('panel.waiting') : t('panel.failed')}</p>
          {email.reason && <p>{t('panel.said', { reason: email.reason })}</p>}
        </chakra.div>
      )}
      <chakra.p
        mt="4"
        pt="4"
        borderTopWidth="1px"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        textStyle="md"
      >
        {email.message}
      </chakra.p>
    </Dialog>
  );
}
