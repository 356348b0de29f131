import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextArea, TextInput } from '@/components/TextInput';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { uploadListFile, useSaveFileList } from './api';
import { FileRows, rowsOf, type Row } from './FileRows';
import { fileListSchema, type FileListForm } from './schemas';
import type { FileList } from './types';

interface FileListDialogProps {
  /** The file list to edit; without it a new one is created. */
  stored?: FileList;
  onClose: () => void;
}

/** Adds or edits a file list. Files whose upload failed stay in the form for a retry. */
export function FileListDialog({ stored, onClose }: FileListDialogProps) {
  const { t } = useTranslation(['fileLists', 'common']);
  const form = useForm<FileListForm>({
    resolver: zodResolver(fileListSchema),
    defaultValues: { name: stored?.name ?? '', message: stored?.message ?? '' },
  });
  const save = useSaveFileList();
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const message = useWatch({ control: form.control, name: 'message' });
  const [rows, setRows] = useState<Row[]>(() => rowsOf(stored?.options ?? []));
  const [rowsChanged, setRowsChanged] = useState(false);
  const [rowsError, setRowsError] = useState<string>();
  const [uploading, setUploading] = useState<{ key: string; share: number } | null>(null);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  /** Created by an attempt in which some uploads failed: the next attempt continues with it. */
  const [createdId, setCreatedId] = useState<number>();

  const { ref: registerMessage, ...messageField } = form.register('message');
  const { areaRef, insert } = useInsertion(message, (text) => {
    form.setValue('message', text, { shouldDirty: true });
    form.clearErrors('message');
  });

  const submit = form.handleSubmit(async (values) => {
    if (rows.some(({ file, stored: kept }) => !file && !kept?.path)) {
      setRowsError(t('files.oneMissing'));
      return;
    }
    setBusy(true);
    try {
      const options = rows.map(({ id, name }) => ({ ...(id !== undefined && { id }), name }));
      const id = stored?.id ?? createdId;
      const record = await save.mutateAsync({ id, fields: { ...values, options } });
      setCreatedId(record.id);
      // The answer has the options in the order sent.
      const known = rows.map((row, place) => {
        const optionId = record.options[place]?.id;
        return optionId === undefined ? row : { ...row, id: optionId };
      });
      setRows(known);
      for (const row of known) {
        if (!row.file || row.id === undefined) continue;
        const { key, id: optionId, name, file } = row;
        const sent = await uploadListFile(record.id, { id: optionId, name }, file, (share) =>
          setUploading({ key, share }),
        );
        const option = sent.options.find((each) => each.id === optionId);
        setRows((before) =>
          before.map((each) => {
            if (each.key !== key || !option) return each;
            return { key, id: optionId, name: each.name, stored: option };
          }),
        );
      }
      setSaved(true);
      toast.success(t('saved'));
      onClose();
    } catch (error) {
      showRefusal(form, error);
    } finally {
      setBusy(false);
      setUploading(null);
    }
  });

  return (
    <FormDialog
      size="md"
      onClose={onClose}
      dirty={(isDirty || rowsChanged) && !saved}
      title={stored ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={stored ? t('common:actions.save') : t('dialog.submit')}
      busy={busy}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.message')}
          help={t('fields.messageHelp')}
          error={errorText(errors.message?.message)}
          required
        >
          <TextArea
            rows={4}
            {...messageField}
            ref={(element) => {
              registerMessage(element);
              areaRef.current = element;
            }}
          />
        </Field>
        <chakra.div mt="-2">
          <VariableChips onPick={insert} />
        </chakra.div>
        <FileRows
          rows={rows}
          uploading={uploading}
          busy={busy}
          error={rowsError}
          onChange={(changed) => {
            setRows(changed);
            setRowsChanged(true);
            setRowsError(undefined);
          }}
        />
      </chakra.div>
    </FormDialog>
  );
}
