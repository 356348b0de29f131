import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { EmptyLine, SmallError } from '@/components/Section';
import { SkeletonFields } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { errorMessage, toast } from '@/lib/toast';
import { reasonsQuery, useDeleteReason, useSaveReason } from './api';

/** The company's reasons to pause (rules/desk §5). */
export function ReasonsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('desk');
  const reasons = useQuery(reasonsQuery());
  const save = useSaveReason();
  const remove = useDeleteReason();
  const [name, setName] = useState('');
  const [minutes, setMinutes] = useState('15');
  const number = Number(minutes);
  const isRight = name.trim().length >= 2 && Number.isInteger(number) && number >= 1;

  const add = () => {
    if (!isRight) return;
    save.mutate({ name: name.trim(), minutes: number }, { onSuccess: () => setName('') });
  };
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t('reasons.title')}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.p textStyle="sm" color="fg.muted">
          {t('reasons.help')}
        </chakra.p>
        {reasons.isError && !reasons.data ? (
          <SmallError error={reasons.error} onRetry={() => void reasons.refetch()} />
        ) : reasons.isPending ? (
          <SkeletonFields heights={['9', '9']} />
        ) : reasons.data.length === 0 ? (
          <EmptyLine>{t('reasons.empty')}</EmptyLine>
        ) : (
          <chakra.ul listStyleType="none" p="0" borderWidth="1px" borderRadius="md">
            {reasons.data.map((reason) => (
              <chakra.li
                key={reason.id}
                display="flex"
                alignItems="center"
                gap="3"
                px="3"
                py="1.5"
                _notFirst={{ borderTopWidth: '1px' }}
              >
                <chakra.span flex="1" minW="0" truncate>
                  {reason.name}
                </chakra.span>
                <chakra.span textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
                  {t('reasons.minutes', { count: reason.minutes })}
                </chakra.span>
                <IconButton
                  size="sm"
                  label={t('reasons.delete', { name: reason.name })}
                  icon={<Trash2 size={16} />}
                  onClick={() =>
                    remove.mutate(reason.id, { onError: (error) => toast.error(error) })
                  }
                />
              </chakra.li>
            ))}
          </chakra.ul>
        )}
        <chakra.div display="grid" gap="3" gridTemplateColumns="1fr 112px auto" alignItems="end">
          <Field label={t('reasons.name')}>
            <TextInput
              autoFocus
              maxLength={50}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Field label={t('pause.minutes')}>
            <TextInput
              inputMode="numeric"
              autoComplete="off"
              value={minutes}
              onChange={(event) => setMinutes(event.target.value)}
            />
          </Field>
          <Button
            type="submit"
            variant="outline"
            icon={<Plus size={16} />}
            loading={save.isPending}
            disabled={!isRight}
          >
            {t('reasons.add')}
          </Button>
        </chakra.div>
        {save.isError && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(save.error)}
          </chakra.p>
        )}
      </chakra.div>
    </Dialog>
  );
}
