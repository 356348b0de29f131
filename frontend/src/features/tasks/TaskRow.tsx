import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '@/components/RowActions';
import { Checkbox } from '@/components/Toggle';
import { formatDateTime, formatLastMessageTime } from '@/lib/format';
import { target } from '@/theme/screens';
import type { Task } from './list';

interface TaskRowProps {
  task: Task;
  isEdited: boolean;
  onDone: (done: boolean) => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** A task: its checkbox, text, time of creation or last change, and buttons to edit and delete. */
export function TaskRow({ task, isEdited, onDone, onEdit, onDelete }: TaskRowProps) {
  const { t } = useTranslation('tasks');
  const { text, done, createdAt, updatedAt } = task;
  const name = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const isChanged = updatedAt !== createdAt;
  return (
    <chakra.li
      tabIndex={-1}
      display="flex"
      alignItems="center"
      gap="2"
      ps="4"
      pe="2"
      py="1"
      minH="11"
      borderBottomWidth="1px"
      _last={{ borderBottomWidth: '0' }}
      bg={isEdited ? 'brand.subtle' : undefined}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
    >
      <chakra.div flex="1" minW="0" display="flex" alignItems="center" css={target}>
        <Checkbox
          checked={done}
          onChange={onDone}
          label={
            <chakra.span
              display="block"
              overflowWrap="anywhere"
              textDecoration={done ? 'line-through' : undefined}
              color={done ? 'fg.muted' : undefined}
            >
              {text}
            </chakra.span>
          }
        />
      </chakra.div>
      <chakra.time
        flexShrink="0"
        textStyle="xs"
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
        dateTime={new Date(updatedAt).toISOString()}
        title={t(isChanged ? 'changedAt' : 'writtenAt', { at: formatDateTime(updatedAt) })}
      >
        {formatLastMessageTime(updatedAt)}
      </chakra.time>
      <RowActions
        name={name}
        editLabel={t('edit', { name })}
        onEdit={onEdit}
        deleteLabel={t('delete', { name })}
        onDelete={onDelete}
      />
    </chakra.li>
  );
}
