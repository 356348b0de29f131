import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ChangeEvent } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { ApiError } from '@/lib/api/errors';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { askForCode, resetPassword } from './api';
import { ResetForm } from './ResetForm';
import { codeIn, codeOf, newPasswordSchema, type NewPassword } from './schemas';
import { useCountdown } from './useCountdown';
import { useWords } from './useWords';

/** Time for a code to arrive; a new request would invalidate it. */
const RESEND_SECONDS = 60;

interface NewPasswordFormProps {
  email: string;
  onDone: () => void;
  /** Returns to the first step. */
  onOtherEmail: () => void;
}

/** The second step: the code, and the new password twice. */
export function NewPasswordForm({ email, onDone, onOtherEmail }: NewPasswordFormProps) {
  const { t } = useTranslation('passwordReset');
  const form = useForm<NewPassword>({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { code: '', password: '', confirmation: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const words = useWords();
  const submit = form.handleSubmit(async (typed) => {
    try {
      await resetPassword(email, typed);
      toast.success(t('done'));
      onDone();
    } catch (error) {
      showRefusal(form, error);
    }
  });
  return (
    <ResetForm text={t('codeText', { email })} onSubmit={() => void submit()}>
      {/* Tells password managers the account. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('code')} help={t('codeHelp')} error={words(errors.code?.message)}>
        <TextInput
          size="lg"
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          letterSpacing="0.2em"
          fontVariantNumeric="tabular-nums"
          {...form.register('code', {
            onChange: (event: ChangeEvent<HTMLInputElement>) =>
              form.setValue('code', codeOf(event.target.value)),
          })}
          onPaste={(event) => {
            event.preventDefault();
            form.setValue('code', codeIn(event.clipboardData.getData('text')));
          }}
        />
      </Field>
      <Field label={t('password')} error={words(errors.password?.message)}>
        <PasswordInput size="lg" autoComplete="new-password" {...form.register('password')} />
      </Field>
      <Field label={t('confirmation')} error={words(errors.confirmation?.message)}>
        <PasswordInput size="lg" autoComplete="new-password" {...form.register('confirmation')} />
      </Field>
      <Button type="submit" size="lg" loading={isSubmitting}>
        {t('submit')}
      </Button>
      <chakra.div display="flex" flexWrap="wrap" justifyContent="center" gap="2">
        <Resend email={email} />
        <Button variant="ghost" size="lg" onClick={onOtherEmail}>
          {t('otherEmail')}
        </Button>
      </chakra.div>
    </ResetForm>
  );
}

/** Requests another code; disabled until the previous one has had time to arrive. */
function Resend({ email }: { email: string }) {
  const { t } = useTranslation('passwordReset');
  const [left, wait] = useCountdown(RESEND_SECONDS);
  const [isBusy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      await askForCode(email);
      toast.success(t('resent'));
      wait(RESEND_SECONDS);
    } catch (error) {
      toast.error(error);
      const seconds = error instanceof ApiError ? error.body.retryAfter : undefined;
      if (typeof seconds === 'number') wait(seconds);
    } finally {
      setBusy(false);
    }
  };
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <Button
      variant="ghost"
      size="lg"
      fontVariantNumeric="tabular-nums"
      loading={isBusy}
      disabled={left > 0}
      onClick={() => void resend()}
    >
      {left > 0 ? t('resendIn', { time }) : t('resend')}
    </Button>
  );
}
