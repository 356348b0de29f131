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
  /** The label of the action, with the row's name in it: 'Move Sales up'. */
  label: string;
  icon: ReactElement;
  onSelect: () => void;
  disabled?: boolean;
  loading?: boolean;
  danger?: boolean;
  /** Text beside the icon if there is room. */
  words?: string;
}

interface RowActionsProps {
  /** The row's name. */
  name: string;
  /** Further actions on the row, before the edit button. */
  more?: readonly RowAction[];
  /** The label of the edit button, with the row's name in it: 'Edit Sales'. */
  editLabel: string;
  /** False if the row cannot be changed: then there is no edit button. */
  onEdit: (() => void) | false;
  /** The label of the delete button, with the row's name in it. */
  deleteLabel: string;
  /** False if the row cannot be deleted: then there is no delete button. */
  onDelete: (() => void) | false;
}

/**
 * The edit button, the delete button and further actions at the end of a table's row; a menu on
 * narrow screens.
 */
export function RowActions(props: RowActionsProps) {
  const { name, more = [], editLabel, onEdit, deleteLabel, onDelete } = props;
  const { t } = useTranslation();
  // The same breakpoint as for the table's rows.
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
        // Stacked: side by side, two of them push the edit and delete buttons out of sight.
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
