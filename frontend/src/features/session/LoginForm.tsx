import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { isOverdue } from '@/lib/api/errors';
import { errorMessage, overdueWords, toast } from '@/lib/toast';
import { takeSignOutNotice } from '@/stores/session';
import { isCodeAsked, logIn, type Credentials } from './api';

/** Finds obviously invalid addresses; the server checks the rest. */
const ADDRESS = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** The login form; `email` is prefilled after a sign-up or a password reset. */
export function LoginForm({ email = '' }: { email?: string }) {
  const { t } = useTranslation('session');
  const form = useForm<Credentials>({
    defaultValues: { email, password: '' },
    // Hidden fields are not sent: the next account may have no second factor.
    shouldUnregister: true,
  });
  const [asksCode, setAsksCode] = useState(false);
  const { errors, isSubmitting } = form.formState;
  const [notice] = useState(takeSignOutNotice);
  const words = (message: string | undefined) => message && t(message);

  const submit = form.handleSubmit(async (credentials) => {
    try {
      const daysLeft = await logIn(credentials);
      if (daysLeft !== null) toast.warning(t('dueSoon', { count: daysLeft }));
    } catch (error) {
      const wantsCode = isCodeAsked(error);
      setAsksCode(wantsCode);
      // The request for the code is a normal step, not an error.
      if (wantsCode && !asksCode) return;
      const reason = isOverdue(error) ? overdueWords(error) : errorMessage(error);
      toast.errorText(reason);
      form.setError('root', { message: reason });
      form.setFocus(wantsCode ? 'code' : 'password', { shouldSelect: true });
    }
  });

  return (
    <chakra.form
      w="full"
      maxW="360px"
      display="flex"
      flexDirection="column"
      gap="6"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <chakra.div mb="2">
        <chakra.h1 textStyle="2xl" fontWeight="semibold">
          {t('title')}
        </chakra.h1>
        <chakra.p mt="1" color="fg.muted">
          {t('welcome')}
        </chakra.p>
      </chakra.div>
      <Field label={t('email')} error={words(errors.email?.message)}>
        <TextInput
          size="lg"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus={!email}
          // Validated without zod, to keep the first page small; messages are keys of the session
          // texts.
          {...form.register('email', {
            setValueAs: (value: string) => value.trim(),
            required: 'emailRequired',
            pattern: { value: ADDRESS, message: 'emailInvalid' },
          })}
        />
      </Field>
      <Field label={t('password')} error={words(errors.password?.message)}>
        <PasswordInput
          size="lg"
          autoComplete="current-password"
          autoFocus={email !== ''}
          {...form.register('password', { required: 'passwordRequired' })}
        />
      </Field>
      {asksCode && (
        <Field label={t('code')} help={t('codeHelp')} error={words(errors.code?.message)}>
          <TextInput
            size="lg"
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="characters"
            {...form.register('code', { required: 'codeRequired' })}
          />
        </Field>
      )}
      {notice && !errors.root && (
        <chakra.p
          role="status"
          px="3"
          py="2"
          borderRadius="md"
          bg="status.waiting.subtle"
          color="status.waiting.fg"
          textStyle="sm"
        >
          {notice}
        </chakra.p>
      )}
      <Button type="submit" size="lg" loading={isSubmitting}>
        {t('submit')}
      </Button>
      {/* Below the button, which stays under the pointer. */}
      {errors.root && (
        <chakra.p
          role="alert"
          px="3"
          py="2"
          borderRadius="md"
          borderWidth="1px"
          borderColor="status.danger.border"
          bg="status.danger.subtle"
          color="status.danger.fg"
          textStyle="sm"
        >
          {errors.root.message}
        </chakra.p>
      )}
    </chakra.form>
  );
}
