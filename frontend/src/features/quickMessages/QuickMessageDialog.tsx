import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm, useWatch, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FileField, storedFile, type ChosenFile } from '@/components/FileField';
import { FormFooter } from '@/components/FormFooter';
import { MessagePreview, SAMPLE } from '@/components/MessagePreview';
import { TextArea, TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { removeFile, uploadFile, useSaveQuickMessage } from './api';
import { mayChange } from './rules';
import { quickMessageSchema, type QuickMessageForm } from './schemas';
import type { QuickMessage } from './types';

interface QuickMessageDialogProps {
  /** The quick message to edit; without it a new one is created. */
  stored?: QuickMessage;
  onClose: () => void;
}

/** Adds or edits a quick message; one that the user may not change is read-only. */
export function QuickMessageDialog({ stored, onClose }: QuickMessageDialogProps) {
  const { t } = useTranslation(['quickMessages', 'common']);
  const me = useCurrentUser();
  const readOnly = stored !== undefined && !mayChange(stored, me);
  const form = useForm<QuickMessageForm>({
    resolver: zodResolver(quickMessageSchema),
    defaultValues: {
      shortcode: stored?.shortcode ?? '',
      message: stored?.message ?? '',
      geral: stored?.geral ?? false,
      status: stored?.status ?? true,
    },
  });
  const save = useSaveQuickMessage();
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const message = useWatch({ control: form.control, name: 'message' });
  const [file, setFile] = useState<ChosenFile | null>(() => storedFile(stored));
  /** The uploaded share of a new file, during the upload. */
  const [progress, setProgress] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [opened] = useState(() => new Date());
  const [saved, setSaved] = useState(false);
  /** Created by an attempt whose upload failed: the next attempt continues with it. */
  const [createdId, setCreatedId] = useState<number>();

  const { ref: registerMessage, ...messageField } = form.register('message');
  const { areaRef, insert } = useInsertion(message, (text) => {
    form.setValue('message', text, { shouldDirty: true });
    form.clearErrors('message');
  });

  const fileChanged = file?.file !== undefined || (file === null && stored?.isMedia === true);

  const submit = form.handleSubmit(async (values) => {
    if (!values.message.trim() && !file) {
      form.setError('message', { message: 'quickMessages:fields.messageOrFile' });
      return;
    }
    setBusy(true);
    try {
      const id = stored?.id ?? createdId;
      const record = await save.mutateAsync({ id, fields: values });
      setCreatedId(record.id);
      if (file?.file) {
        setProgress(0);
        await uploadFile(record.id, file.file, setProgress);
      } else if (!file && stored?.isMedia) {
        await removeFile(record.id);
      }
      setSaved(true);
      toast.success(t('saved'));
      onClose();
    } catch (error) {
      const names = { shortcode: 'shortcode', message: 'message' } as const;
      showRefusal(form, error, { names });
    } finally {
      setBusy(false);
      setProgress(null);
    }
  });

  const title = readOnly ? t('dialog.view') : stored ? t('dialog.edit') : t('dialog.add');
  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      dirty={!readOnly && (isDirty || fileChanged) && !saved}
      title={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (!readOnly) void submit();
      }}
      footer={
        readOnly ? (
          <Button variant="outline" onClick={onClose}>
            {t('common:actions.close')}
          </Button>
        ) : (
          <FormFooter submit={stored ? t('common:actions.save') : t('dialog.submit')} busy={busy} />
        )
      }
    >
      <chakra.div
        display="grid"
        gap="6"
        gridTemplateColumns={{ base: '1fr', sm: 'minmax(0, 1fr) 300px' }}
      >
        <chakra.div display="flex" flexDirection="column" gap="4" minW="0">
          {readOnly && (
            <chakra.p textStyle="sm" color="fg.muted">
              {t('readOnly')}
            </chakra.p>
          )}
          <Field
            label={t('fields.shortcode')}
            help={t('fields.shortcodeHelp')}
            error={errorText(errors.shortcode?.message)}
            required
          >
            <TextInput
              autoFocus={!readOnly}
              autoComplete="off"
              readOnly={readOnly}
              startIcon={<chakra.span fontWeight="semibold">/</chakra.span>}
              ps="6"
              {...form.register('shortcode')}
            />
          </Field>
          <Field label={t('fields.message')} error={errorText(errors.message?.message)}>
            <TextArea
              rows={6}
              readOnly={readOnly}
              {...messageField}
              ref={(element) => {
                registerMessage(element);
                areaRef.current = element;
              }}
            />
          </Field>
          {!readOnly && (
            <chakra.div mt="-2">
              <VariableChips onPick={insert} />
              <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
                {t('variables.help')}
              </chakra.p>
            </chakra.div>
          )}
          <FileField
            file={file}
            readOnly={readOnly}
            progress={progress}
            onChange={(chosen) => {
              setFile(chosen);
              form.clearErrors('message');
            }}
          />
          {!readOnly && (
            <chakra.div display="flex" flexDirection="column" gap="3">
              <Option
                control={form.control}
                name="geral"
                label={t('fields.shared')}
                help={t('fields.sharedHelp')}
              />
              <Option
                control={form.control}
                name="status"
                label={t('fields.status')}
                help={t('fields.statusHelp')}
              />
            </chakra.div>
          )}
        </chakra.div>
        <MessagePreview
          label={t('preview.label')}
          text={message}
          file={file}
          now={opened}
          help={t('preview.help', { name: SAMPLE.name })}
        />
      </chakra.div>
    </Dialog>
  );
}

interface OptionProps {
  control: Control<QuickMessageForm>;
  name: 'geral' | 'status';
  label: string;
  help: string;
}

function Option({ control, name, label, help }: OptionProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <chakra.div>
          <Switch checked={field.value} onChange={field.onChange} label={label} />
          <chakra.p textStyle="xs" color="fg.muted" mt="1">
            {help}
          </chakra.p>
        </chakra.div>
      )}
    />
  );
}
