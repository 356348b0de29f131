import { Pencil, Trash2 } from 'lucide-react';
import { IconButton } from './IconButton';

interface RowActionsProps {
  /** What the pencil does, with the row's name in it: 'Edit Sales'. */
  editLabel: string;
  onEdit: () => void;
  /** What the bin does, with the row's name in it. */
  deleteLabel: string;
  /** False where the row can't be deleted: then there is no bin. */
  onDelete: (() => void) | false;
}

/** The pencil and the bin at the end of a table's row. */
export function RowActions({ editLabel, onEdit, deleteLabel, onDelete }: RowActionsProps) {
  return (
    <>
      <IconButton label={editLabel} size="sm" icon={<Pencil size={16} />} onClick={onEdit} />
      {onDelete && (
        <IconButton label={deleteLabel} size="sm" icon={<Trash2 size={16} />} onClick={onDelete} />
      )}
    </>
  );
}
