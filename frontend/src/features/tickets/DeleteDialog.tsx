import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import { toast } from '@/lib/toast';
import { useDeleteTicket } from './api';
import type { Ticket } from './types';

interface DeleteDialogProps {
  ticket: Ticket;
  onClose: () => void;
  onDeleted: (ticketId: number) => void;
}

/** Asks before it deletes a ticket and its messages. */
export function DeleteDialog({ ticket, onClose, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation('tickets');
  const remove = useDeleteTicket();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(ticket, {
          onSuccess: () => onDeleted(ticket.id),
          onError: toast.error,
          onSettled: onClose,
        })
      }
      title={t('delete.title', { name: ticket.contact.name })}
      confirmLabel={t('delete.confirm')}
      loading={remove.isPending}
    >
      {t('delete.text', { id: ticket.id })}
    </ConfirmDialog>
  );
}
