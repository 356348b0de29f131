import { chakra } from '@chakra-ui/react';
import type { UseMutationResult } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { submitByKey } from '@/lib/submitByKey';
import { errorMessage, toast } from '@/lib/toast';
import { Button } from './Button';
import { ConfirmDialog } from './Dialog';

interface RecordFormProps {
  /** Says whether the form creates a record, or which record it edits. */
  title: string;
  /** From `useRecordForm`. */
  editor: {
    busy: boolean;
    submit: () => void;
    load: (row: null) => void;
    /** Opening another record would drop unsaved input. */
    asking: boolean;
    answer: (drops: boolean) => void;
  };
  /** The delete button; only for a stored record. */
  deletion?: ReactNode;
  children: ReactNode;
}

/** The form above a table: its fields, and Excluir apart from Limpar and Salvar. */
export function RecordForm({ title, editor, deletion, children }: RecordFormProps) {
  const { t } = useTranslation();
  const { busy, answer } = editor;
  const id = useId();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!busy) editor.submit();
  };
  return (
    <chakra.form
      noValidate
      aria-labelledby={id}
      onSubmit={submit}
      onKeyDown={submitByKey}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      p={{ base: '4', sm: '5' }}
      display="flex"
      flexDirection="column"
      gap="5"
    >
      <chakra.h2 id={id} textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
        {title}
      </chakra.h2>
      {children}
      <chakra.div display="flex" flexWrap="wrap" gap="2" alignItems="center">
        {deletion}
        <chakra.div display="flex" gap="2" ms="auto">
          <Button variant="outline" onClick={() => editor.load(null)} disabled={busy}>
            {t('actions.clear')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('actions.save')}
          </Button>
        </chakra.div>
      </chakra.div>
      <ConfirmDialog
        open={editor.asking}
        onClose={() => answer(false)}
        onConfirm={() => answer(true)}
        title={t('dialog.discardTitle')}
        confirmLabel={t('actions.discard')}
        cancelLabel={t('actions.keepEditing')}
      >
        {t('dialog.discardText')}
      </ConfirmDialog>
    </chakra.form>
  );
}

/** Fields in as many columns as fit. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns="repeat(auto-fill, minmax(min(232px, 100%), 1fr))"
      gap="4"
      alignItems="start"
    >
      {children}
    </chakra.div>
  );
}

interface DeleteRecordProps {
  id: number;
  name: string;
  /** What else the deletion removes. */
  children?: ReactNode;
  remove: Pick<UseMutationResult<unknown, Error, number>, 'isPending' | 'mutate'>;
  onDeleted: () => void;
}

/** Deletes the form's record after confirmation (rules/companies §8). */
export function DeleteRecord({ id, name, children, remove, onDeleted }: DeleteRecordProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const confirmed = () =>
    remove.mutate(id, {
      onSuccess: () => {
        toast.success(t('record.done'));
        onDeleted();
      },
      onError: (error) => {
        setAsking(false);
        toast.errorText(`${t('record.failed')}. ${errorMessage(error)}`);
      },
    });
  return (
    <>
      <Button
        variant="outline"
        color="status.danger.fg"
        icon={<Trash2 size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('actions.delete')}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={confirmed}
        loading={remove.isPending}
        title={t('record.deleteTitle')}
        confirmLabel={t('actions.delete')}
      >
        {t('record.deleteQuestion', { name })}
        {children && <> {children}</>}
      </ConfirmDialog>
    </>
  );
}
