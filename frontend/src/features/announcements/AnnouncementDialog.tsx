import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FileField, storedFile, type ChosenFile } from '@/components/FileField';
import { FormDialog } from '@/components/FormDialog';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { removePicture, uploadPicture, useSaveAnnouncement } from './api';
import { PRIORITIES, type Priority } from './priority';
import { announcementSchema, type AnnouncementForm } from './schemas';
import type { Announcement } from './types';

interface AnnouncementDialogProps {
  /** The announcement to edit; without it a new one is created. */
  stored?: Announcement;
  onClose: () => void;
}

/** Writes or edits an announcement. */
export function AnnouncementDialog({ stored, onClose }: AnnouncementDialogProps) {
  const { t } = useTranslation(['announcements', 'common']);
  const form = useForm<AnnouncementForm>({
    resolver: zodResolver(announcementSchema),
    defaultValues: {
      title: stored?.title ?? '',
      text: stored?.text ?? '',
      priority: `${stored?.priority ?? 3}`,
      status: stored?.status ?? true,
    },
  });
  const save = useSaveAnnouncement();
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const [file, setFile] = useState<ChosenFile | null>(() => storedFile(stored));
  /** The uploaded share of a new picture, during the upload. */
  const [progress, setProgress] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  /** Created by an attempt whose picture upload failed: the next attempt continues with it. */
  const [createdId, setCreatedId] = useState<number>();
  const fileChanged = file?.file !== undefined || (file === null && Boolean(stored?.mediaPath));

  const submit = form.handleSubmit(async ({ priority, ...values }) => {
    setBusy(true);
    try {
      const fields = { ...values, priority: Number(priority) as Priority };
      const record = await save.mutateAsync({ id: stored?.id ?? createdId, fields });
      setCreatedId(record.id);
      if (file?.file) {
        setProgress(0);
        await uploadPicture(record.id, file.file, setProgress);
      } else if (!file && stored?.mediaPath) {
        await removePicture(record.id);
      }
      setSaved(true);
      toast.success(t('saved'));
      onClose();
    } catch (error) {
      showRefusal(form, error);
    } finally {
      setBusy(false);
      setProgress(null);
    }
  });

  return (
    <FormDialog
      onClose={onClose}
      dirty={(isDirty || fileChanged) && !saved}
      title={stored ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={stored ? t('common:actions.save') : t('dialog.submit')}
      busy={busy}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('fields.title')} error={errorText(errors.title?.message)} required>
          <TextInput autoFocus autoComplete="off" {...form.register('title')} />
        </Field>
        <Field label={t('fields.text')} error={errorText(errors.text?.message)} required>
          <TextArea rows={7} {...form.register('text')} />
        </Field>
        <Field label={t('fields.priority')} help={t('fields.priorityHelp')}>
          <Select
            options={PRIORITIES.map((each) => ({
              value: `${each}`,
              label: t(`priority.${each}`),
            }))}
            {...form.register('priority')}
          />
        </Field>
        <FileField file={file} readOnly={false} progress={progress} onChange={setFile} pictures />
        <Controller
          control={form.control}
          name="status"
          render={({ field }) => (
            <chakra.div>
              <Switch checked={field.value} onChange={field.onChange} label={t('fields.status')} />
              <chakra.p textStyle="xs" color="fg.muted" mt="1">
                {t('fields.statusHelp')}
              </chakra.p>
            </chakra.div>
          )}
        />
      </chakra.div>
    </FormDialog>
  );
}
