import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextArea, TextInput } from '@/components/TextInput';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useSaveCampaignSettings } from './api';
import { variableSchema, type VariableForm } from './schemas';
import { isSameKey } from './settings';
import type { OwnVariable } from './types';

interface VariableDialogProps {
  /** The variable to edit; without it a new one is added. */
  stored?: OwnVariable;
  /** All existing variables. */
  variables: readonly OwnVariable[];
  onClose: () => void;
}

/** Adds or edits a variable; refuses a shortcut that already exists. */
export function VariableDialog({ stored, variables, onClose }: VariableDialogProps) {
  const { t } = useTranslation(['campaigns', 'common']);
  const errorText = useErrorText();
  const form = useForm<VariableForm>({
    resolver: zodResolver(variableSchema),
    defaultValues: { key: stored?.key ?? '', value: stored?.value ?? '' },
  });
  const { errors, isDirty } = form.formState;
  const save = useSaveCampaignSettings();
  const others = variables.filter(({ key }) => key !== stored?.key);
  const submit = form.handleSubmit(async (typed) => {
    if (others.some(({ key }) => isSameKey(key, typed.key))) {
      form.setError('key', { message: 'campaigns:errors.variableExists' }, { shouldFocus: true });
      return;
    }
    const changed = stored
      ? variables.map((each) => (each.key === stored.key ? typed : each))
      : [...variables, typed];
    try {
      await save.mutateAsync({ variables: changed });
      toast.success(t('settings.saved'));
      onClose();
    } catch (error) {
      toast.error(error);
    }
  });
  return (
    <FormDialog
      low
      size="sm"
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={t(stored ? 'settings.editVariable' : 'settings.addVariable')}
      onSubmit={submit}
      submitLabel={t(stored ? 'common:actions.save' : 'common:actions.add')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field
          label={t('settings.shortcut')}
          required
          help={t('settings.shortcutHelp')}
          error={errorText(errors.key?.message)}
        >
          <TextInput autoFocus autoComplete="off" {...form.register('key')} />
        </Field>
        <Field label={t('settings.content')} error={errorText(errors.value?.message)}>
          <TextArea rows={3} {...form.register('value')} />
        </Field>
      </chakra.div>
    </FormDialog>
  );
}
