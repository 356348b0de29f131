import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import { toast } from '@/lib/toast';
import { useDeleteArchive } from './api';

interface DeleteDialogProps {
  open: boolean;
  onClose: () => void;
  isWriting?: boolean;
}

export function DeleteDialog({ open, onClose, isWriting = false }: DeleteDialogProps) {
  const { t } = useTranslation('companyArchive');
  const remove = useDeleteArchive();
  const kind = isWriting ? 'stop' : 'delete';
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, { onSuccess: onClose, onError: (error) => toast.error(error) })
      }
      loading={remove.isPending}
      title={t(`${kind}Title`)}
      confirmLabel={t(kind)}
    >
      {t(`${kind}Text`)}
    </ConfirmDialog>
  );
}
