import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { askForCode } from './api';
import { ResetForm } from './ResetForm';
import { askSchema, type Ask } from './schemas';
import { useWords } from './useWords';

interface AskFormProps {
  email: string;
  /** Called with the address after a code was requested. */
  onAsked: (email: string) => void;
}

/** The first step: the account's e-mail address. */
export function AskForm({ email, onAsked }: AskFormProps) {
  const { t } = useTranslation('passwordReset');
  const form = useForm<Ask>({ resolver: zodResolver(askSchema), defaultValues: { email } });
  const { errors, isSubmitting } = form.formState;
  const words = useWords();
  const submit = form.handleSubmit(async (ask) => {
    try {
      await askForCode(ask.email);
      toast.info(t('asked'));
      onAsked(ask.email);
    } catch (error) {
      showRefusal(form, error);
    }
  });
  return (
    <ResetForm text={t('askText')} onSubmit={() => void submit()}>
      <Field label={t('email')} error={words(errors.email?.message)}>
        <TextInput
          size="lg"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          {...form.register('email')}
        />
      </Field>
      <Button type="submit" size="lg" loading={isSubmitting}>
        {t('send')}
      </Button>
    </ResetForm>
  );
}
