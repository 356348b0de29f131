import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { useNumberHelp } from '@/features/contacts/api';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useAddOptOut } from './api';
import { optOutSchema, type OptOutForm } from './schemas';

/** Adds a number that no campaign is to write to. */
export function OptOutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('optOuts');
  const form = useForm<OptOutForm>({
    resolver: zodResolver(optOutSchema),
    defaultValues: { number: '' },
  });
  const typed = useWatch({ control: form.control, name: 'number' });
  const numberHelp = useNumberHelp(typed, t('dialog.numberHelp'));
  const add = useAddOptOut();
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit(async (fields) => {
    try {
      await add.mutateAsync(fields);
      toast.success(t('added'));
      onClose();
    } catch (error) {
      showRefusal(form, error);
    }
  });
  return (
    <FormDialog
      size="sm"
      onClose={onClose}
      dirty={isDirty && !add.isSuccess}
      title={t('dialog.title')}
      onSubmit={submit}
      submitLabel={t('dialog.submit')}
      busy={add.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.p textStyle="sm" color="fg.muted">
          {t('dialog.text')}
        </chakra.p>
        <Field
          label={t('columns.number')}
          help={numberHelp}
          error={errorText(errors.number?.message)}
          required
        >
          <TextInput autoFocus type="tel" autoComplete="off" {...form.register('number')} />
        </Field>
      </chakra.div>
    </FormDialog>
  );
}
