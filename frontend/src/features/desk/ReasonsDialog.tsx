import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Check, Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { EmptyLine, SmallError } from '@/components/Section';
import { SkeletonFields } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { errorMessage } from '@/lib/toast';
import { reasonsQuery, useDeleteReason, useSaveReason } from './calls';
import type { PauseReason } from './types';

/** The minutes that a new reason begins with. */
const USUAL = '15';

/** The company's reasons to pause (rules/desk §5). */
export function ReasonsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['desk', 'common']);
  const reasons = useQuery(reasonsQuery());
  const save = useSaveReason();
  const remove = useDeleteReason();
  const [name, setName] = useState('');
  const [minutes, setMinutes] = useState(USUAL);
  const [editedId, setEditedId] = useState<number | null>(null);
  const [leaving, setLeaving] = useState<PauseReason | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // None once it is deleted: then its name may be added again.
  const edited = reasons.data?.find(({ id }) => id === editedId);
  const number = Number(minutes);
  const isRight = name.trim().length >= 2 && Number.isInteger(number) && number >= 1;

  /** Fills the form with a reason to change; null: for a new one. */
  const write = (reason: PauseReason | null) => {
    save.reset();
    setEditedId(reason?.id ?? null);
    setName(reason?.name ?? '');
    setMinutes(reason ? String(reason.minutes) : USUAL);
    field.current?.focus();
  };
  const submit = () => {
    if (!isRight || save.isPending) return;
    save.mutate(
      { ...(edited && { id: edited.id }), name: name.trim(), minutes: number },
      { onSuccess: () => write(null) },
    );
  };
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t('reasons.title')}
      dirty={name !== (edited?.name ?? '') || minutes !== String(edited?.minutes ?? USUAL)}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
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
                  label={t('reasons.edit', { name: reason.name })}
                  icon={<Pencil size={16} />}
                  onClick={() => write(reason)}
                />
                <IconButton
                  size="sm"
                  label={t('reasons.delete', { name: reason.name })}
                  icon={<Trash2 size={16} />}
                  onClick={() => setLeaving(reason)}
                />
              </chakra.li>
            ))}
          </chakra.ul>
        )}
        <chakra.div
          display="grid"
          gap="3"
          gridTemplateColumns={{ base: '1fr 112px', sm: '1fr 112px auto' }}
          alignItems="end"
        >
          <Field label={edited ? t('reasons.changed', { name: edited.name }) : t('reasons.name')}>
            <TextInput
              ref={field}
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
          <chakra.div display="flex" gap="2">
            <Button
              type="submit"
              variant="outline"
              icon={edited ? <Check size={16} /> : <Plus size={16} />}
              loading={save.isPending}
              disabled={!isRight}
            >
              {edited ? t('common:actions.save') : t('reasons.add')}
            </Button>
            {edited && (
              <Button variant="ghost" onClick={() => write(null)}>
                {t('common:actions.cancel')}
              </Button>
            )}
          </chakra.div>
        </chakra.div>
        {save.isError && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(save.error)}
          </chakra.p>
        )}
        {leaving && (
          <ConfirmDelete
            title={t('reasons.deleteTitle', { name: leaving.name })}
            id={leaving.id}
            remove={remove}
            done={t('reasons.deleted')}
            onClose={() => setLeaving(null)}
          >
            {t('reasons.deleteText')}
          </ConfirmDelete>
        )}
      </chakra.div>
    </Dialog>
  );
}
