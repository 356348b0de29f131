import { chakra } from '@chakra-ui/react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import { useErrorText } from '@/lib/useErrorText';

interface PasswordFormProps {
  /** The label of the submit button. */
  submit: string;
  text?: string;
  danger?: boolean;
  onSubmit: (password: string) => Promise<unknown>;
  onCancel: () => void;
}

/** Asks for the current password before a protected change of the account. */
export function PasswordForm({ submit, text, danger, onSubmit, onCancel }: PasswordFormProps) {
  const { t } = useTranslation(['security', 'common']);
  const form = useForm({ defaultValues: { currentPassword: '' } });
  const { errors, isSubmitting } = form.formState;
  const errorText = useErrorText();
  const send = form.handleSubmit(async ({ currentPassword }) => {
    try {
      await onSubmit(currentPassword);
    } catch (error) {
      showRefusal(form, error);
    }
  });
  return (
    <chakra.form
      noValidate
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => void send(event)}
    >
      {text && <chakra.p textStyle="sm">{text}</chakra.p>}
      <Field label={t('currentPassword')} error={errorText(errors.currentPassword?.message)}>
        <PasswordInput
          autoFocus
          autoComplete="current-password"
          {...form.register('currentPassword', { required: 'security:currentPasswordRequired' })}
        />
      </Field>
      <chakra.div display="flex" justifyContent="flex-end" gap="2">
        <Button variant="outline" onClick={onCancel}>
          {t('common:actions.cancel')}
        </Button>
        <Button type="submit" variant={danger ? 'danger' : 'solid'} loading={isSubmitting}>
          {submit}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
