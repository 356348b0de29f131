import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { ConfirmDialog } from './Dialog';

interface ConfirmDeleteProps {
  /** A question that names the row. */
  title: string;
  /** What goes with it. */
  children: ReactNode;
  id: number;
  remove: Pick<UseMutationResult<unknown, Error, number>, 'isPending' | 'mutate'>;
  /** What is said when it is gone. */
  done: string;
  onClose: () => void;
}

/** Asks before a row is deleted; says that it is, or why not, and closes. */
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
