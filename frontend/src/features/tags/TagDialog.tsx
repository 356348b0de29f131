import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Chip } from '@/components/Badge';
import { ColorField } from '@/components/ColorField';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { showRefusal } from '@/lib/forms';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { useSaveTag } from './api';
import { PALETTE } from './palette';
import { tagSchema, type TagForm } from './schemas';
import type { Tag } from './types';

interface TagDialogProps {
  /** The tag to edit; without it a new one is created. */
  tag?: Tag;
  initialName?: string;
  /** The initial colour of a new tag. */
  initialColor?: string;
  onClose: () => void;
  onSaved: (tag: Tag) => void;
}

/** Adds or edits a tag; only admins choose whether it is a lane of the kanban. */
export function TagDialog({ tag, initialName, initialColor, onClose, onSaved }: TagDialogProps) {
  const { t } = useTranslation(['tags', 'common']);
  const user = useCurrentUser();
  const mayChooseLanes = may(user, 'queues:manage');
  const form = useForm<TagForm>({
    resolver: zodResolver(tagSchema),
    defaultValues: {
      name: tag?.name ?? initialName ?? '',
      color: tag?.color ?? initialColor ?? PALETTE[0].value,
      kanban: tag?.kanban === 1,
    },
  });
  const save = useSaveTag(tag?.id);
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const [name, color] = useWatch({ control: form.control, name: ['name', 'color'] });

  const submit = form.handleSubmit(({ kanban, ...values }) =>
    save.mutateAsync({ ...values, ...(mayChooseLanes && { kanban }) }).then(
      (saved) => {
        toast.success(t('saved'));
        onSaved(saved);
      },
      (error: unknown) => showRefusal(form, error),
    ),
  );

  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      dirty={isDirty && !save.isSuccess}
      title={tag ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={tag ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" maxLength={100} {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.color')}
          help={t('fields.colorHexHelp')}
          error={errorText(errors.color?.message)}
          required
        >
          <Controller
            control={form.control}
            name="color"
            render={({ field }) => (
              <ColorField
                palette={PALETTE.map(({ id, value }) => ({ value, name: t(`colors.${id}`) }))}
                value={field.value}
                onChange={(value) => form.setValue('color', value, VALIDATED)}
                codeLabel={t('fields.colorHex')}
                otherLabel={t('fields.colorOther')}
              />
            )}
          />
        </Field>
        <chakra.div display="flex" alignItems="center" gap="2" textStyle="sm" minW="0">
          <chakra.span color="fg.muted" flexShrink="0">
            {t('preview')}
          </chakra.span>
          <Chip colour={color.startsWith('#') ? color : `#${color}`} shape="tag">
            {name.trim() || t('previewName')}
          </Chip>
        </chakra.div>
        {mayChooseLanes && (
          <Controller
            control={form.control}
            name="kanban"
            render={({ field }) => (
              <Switch checked={field.value} onChange={field.onChange} label={t('fields.kanban')} />
            )}
          />
        )}
      </chakra.div>
    </FormDialog>
  );
}

const VALIDATED = { shouldDirty: true, shouldValidate: true } as const;
