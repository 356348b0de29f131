import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextArea } from '@/components/TextInput';
import { errorMessage } from '@/lib/toast';
import { useMoveTicket } from './calls';
import type { Move } from './types';

/** The server's length limit (rules/desk §7). */
const MAX_NOTE = 1000;

interface MoveNoteDialogProps {
  /** The contact's name, and the person's who gets the ticket. */
  name: string;
  place: string;
  move: Move;
  onClose: () => void;
  onMoved: () => void;
}

/** Asks for the note that a ticket's queue wants before the ticket goes to somebody else. */
export function MoveNoteDialog({ name, place, move, onClose, onMoved }: MoveNoteDialogProps) {
  const { t } = useTranslation(['desk', 'tickets', 'inbox']);
  const send = useMoveTicket();
  const [note, setNote] = useState('');
  const [isTried, setTried] = useState(false);
  const isEmpty = note.trim() === '';
  const submit = () => {
    setTried(true);
    if (!isEmpty) send.mutate({ ...move, note: note.trim() }, { onSuccess: onMoved });
  };
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      dirty={!isEmpty}
      title={t('moveNote.title', { name, place })}
      onSubmit={submit}
      submitLabel={t('moveNote.submit')}
      busy={send.isPending}
    >
      <Field
        label={t('inbox:transferNote.label')}
        help={t('tickets:transfer.noteHelp')}
        error={
          isTried && isEmpty
            ? t('inbox:transferNote.required')
            : send.isError
              ? errorMessage(send.error)
              : undefined
        }
        required
      >
        <TextArea
          autoFocus
          value={note}
          maxLength={MAX_NOTE}
          placeholder={t('tickets:transfer.notePlaceholder')}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
