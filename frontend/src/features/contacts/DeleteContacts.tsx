import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDialog, Dialog } from '@/components/Dialog';
import { formatCount } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useDeleteContacts } from './api';
import type { Contact } from './types';

/** The maximum number of names in the question. */
const NAMED = 5;

interface DeleteContactsProps {
  contacts: readonly Contact[];
  onClose: () => void;
  /** Called with the ids of the deleted contacts; the others stay selected. */
  onDeleted: (ids: readonly number[]) => void;
}

/** Asks for confirmation, deletes, and reports which contacts could not be deleted and why. */
export function DeleteContacts({ contacts, onClose, onDeleted }: DeleteContactsProps) {
  const { t } = useTranslation(['contacts', 'common']);
  const remove = useDeleteContacts();
  const [first] = contacts;
  const count = contacts.length;
  const nameOf = (id: number) => contacts.find((contact) => contact.id === id)?.name ?? `${id}`;

  const confirm = () =>
    remove.mutate(
      contacts.map(({ id }) => id),
      {
        onSuccess: ({ deleted, refused }) => {
          onDeleted(deleted);
          if (deleted.length > 0)
            toast.success(
              t('deleted', { count: deleted.length, shown: formatCount(deleted.length) }),
            );
          if (refused.length === 0) onClose();
        },
        onError: (error) => {
          toast.error(error);
          onClose();
        },
      },
    );

  if (remove.data?.refused.length)
    return (
      <Dialog
        open
        onClose={onClose}
        size="sm"
        title={t('refused.title', { count: remove.data.refused.length })}
        footer={<Button onClick={onClose}>{t('common:actions.close')}</Button>}
      >
        <chakra.ul role="alert" listStyleType="none" textStyle="sm">
          {remove.data.refused.map(({ id, reason }) => (
            <chakra.li key={id} py="2" css={{ '& + &': { borderTopWidth: '1px' } }}>
              <chakra.p fontWeight="medium" overflowWrap="anywhere">
                {nameOf(id)}
              </chakra.p>
              <chakra.p color="fg.muted">{reason}</chakra.p>
            </chakra.li>
          ))}
        </chakra.ul>
      </Dialog>
    );

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('delete.title', { count, shown: formatCount(count), name: first?.name })}
      confirmLabel={t('common:actions.delete')}
      loading={remove.isPending}
      onConfirm={confirm}
    >
      {count > 1 && (
        <chakra.span display="block" mb="2" color="fg.default" overflowWrap="anywhere">
          {contacts
            .slice(0, NAMED)
            .map(({ name }) => name)
            .join(', ')}
          {count > NAMED && ` ${t('delete.more', { count: count - NAMED })}`}
        </chakra.span>
      )}
      {t('delete.text', { count })}
    </ConfirmDialog>
  );
}
