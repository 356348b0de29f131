import { chakra } from '@chakra-ui/react';
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '@/lib/useMedia';
import { Button } from './Button';
import { IconButton } from './IconButton';
import { Menu } from './Menu';

export interface RowAction {
  /** Unique in its row. */
  id: string;
  /** What it does, with the row's name in it: 'Move Sales up'. */
  label: string;
  icon: ReactElement;
  onSelect: () => void;
  disabled?: boolean;
  loading?: boolean;
  danger?: boolean;
  /** Stands beside the icon where there is room. */
  words?: string;
}

interface RowActionsProps {
  /** The row's name. */
  name: string;
  /** What else can be done with the row, before the pencil. */
  more?: readonly RowAction[];
  /** What the pencil does, with the row's name in it: 'Edit Sales'. */
  editLabel: string;
  /** False where the row can't be changed: then there is no pencil. */
  onEdit: (() => void) | false;
  /** What the bin does, with the row's name in it. */
  deleteLabel: string;
  /** False where the row can't be deleted: then there is no bin. */
  onDelete: (() => void) | false;
}

/** Pencil, bin and what else stands at the end of a table's row; a menu on narrow screens. */
export function RowActions(props: RowActionsProps) {
  const { name, more = [], editLabel, onEdit, deleteLabel, onDelete } = props;
  const { t } = useTranslation();
  // As the table's rows do.
  const isNarrow = useMedia('(max-width: 899px)');
  const usual: RowAction[] = [
    ...more,
    ...(onEdit
      ? [{ id: 'edit', label: editLabel, icon: <Pencil size={16} />, onSelect: onEdit }]
      : []),
  ];
  const dangerous: RowAction[] = onDelete
    ? [
        {
          id: 'delete',
          label: deleteLabel,
          icon: <Trash2 size={16} />,
          onSelect: onDelete,
          danger: true,
        },
      ]
    : [];
  if (usual.length + dangerous.length === 0) return null;
  if (isNarrow)
    return (
      <Menu
        trigger={
          <IconButton
            label={t('actionsOf', { name })}
            icon={<EllipsisVertical size={20} />}
            size="lg"
            loading={usual.some(({ loading }) => loading)}
          />
        }
        groups={[{ entries: usual }, { entries: dangerous }]}
      />
    );
  const all = [...usual, ...dangerous];
  const worded = all.filter(({ words }) => words);
  return (
    <>
      {worded.length > 0 && (
        // One above the other: side by side two of them push the pencil and the bin out of sight.
        <chakra.span display="flex" flexDirection="column" gap="1">
          {worded.map(({ id, label, words, icon, onSelect, ...state }) => (
            <Button
              key={id}
              variant="outline"
              size="sm"
              icon={icon}
              aria-label={label}
              disabled={state.disabled}
              loading={state.loading ?? false}
              onClick={onSelect}
            >
              {words}
            </Button>
          ))}
        </chakra.span>
      )}
      {all
        .filter(({ words }) => !words)
        .map(({ id, label, icon, onSelect, disabled, loading = false }) => (
          <IconButton
            key={id}
            label={label}
            size="sm"
            icon={icon}
            disabled={disabled}
            loading={loading}
            onClick={onSelect}
          />
        ))}
    </>
  );
}
