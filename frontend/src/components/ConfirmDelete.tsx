import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { ConfirmDialog } from './Dialog';

interface ConfirmDeleteProps {
  /** A question that names the row. */
  title: string;
  /** What else the deletion removes. */
  children: ReactNode;
  id: number;
  remove: Pick<UseMutationResult<unknown, Error, number>, 'isPending' | 'mutate'>;
  /** The toast after the deletion. */
  done: string;
  onClose: () => void;
}

/** Asks for confirmation, deletes a row, reports success or failure, and closes. */
export function ConfirmDelete({ title, children, id, remove, done, onClose }: ConfirmDeleteProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      confirmLabel={t('actions.delete')}
      loading={remove.isPending}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => toast.success(done),
          onError: toast.error,
          onSettled: onClose,
        })
      }
    >
      {children}
    </ConfirmDialog>
  );
}
