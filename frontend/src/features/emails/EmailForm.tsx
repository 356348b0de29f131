import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { Page } from '@/components/Page';
import { TextArea, TextInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { emailsQuery, useSendEmail } from './api';
import { EmailTabs } from './EmailTabs';
import { emailSchema, wrongAddress, type EmailForm as Form } from './schemas';

const EMPTY: Form = { email: '', assunto: '', mensagem: '' };

/** The page on which an e-mail is written (rules/emails §1). */
export function EmailForm() {
  const { t, i18n } = useTranslation('emails');
  const { email } = useCurrentUser();
  const form = useForm<Form>({ resolver: zodResolver(emailSchema), defaultValues: EMPTY });
  const send = useSendEmail();
  const { errors, isDirty, isSubmitting } = form.formState;
  const errorText = useErrorText();
  useUnsaved(isDirty);
  const isOff = useQuery(emailsQuery(1)).data?.enabled === false;

  // The error quotes a part of the typed text, so it changes with it.
  const typed = useWatch({ control: form.control, name: 'email' });
  const words = (message: string | undefined) =>
    message && i18n.exists(`emails:${message}`)
      ? t(message, { address: wrongAddress(typed) })
      : errorText(message);
  const submit = form.handleSubmit(async (values) => {
    try {
      const { emails } = await send.mutateAsync(values);
      toast.success(t('queued', { count: emails.length }));
      form.reset(EMPTY);
      form.setFocus('email');
    } catch (error) {
      showRefusal(form, error);
    }
  });

  return (
    <Page>
      <EmailTabs current="write" />
      <chakra.div flex="1" minH="0" overflowY="auto">
        <chakra.form
          noValidate
          display="flex"
          flexDirection="column"
          gap="4"
          maxW="760px"
          p={{ base: '4', sm: '6' }}
          bg="bg.surface"
          borderWidth="1px"
          borderRadius="md"
          onSubmit={(event) => void submit(event)}
        >
          {isOff && (
            <chakra.p
              role="status"
              px="3"
              py="2"
              borderRadius="md"
              bg="status.waiting.subtle"
              color="status.waiting.fg"
              textStyle="sm"
            >
              {t('notSetUp')}
            </chakra.p>
          )}
          <Field
            label={t('recipients')}
            help={t('recipientsHelp')}
            error={words(errors.email?.message)}
          >
            <TextInput
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              autoFocus
              {...form.register('email')}
            />
          </Field>
          <Field label={t('subject')} error={words(errors.assunto?.message)}>
            <TextInput {...form.register('assunto')} />
          </Field>
          <Field
            label={t('message')}
            help={t('replyTo', { email })}
            error={words(errors.mensagem?.message)}
          >
            <TextArea rows={10} {...form.register('mensagem')} />
          </Field>
          <chakra.div display="flex" justifyContent="flex-end">
            <Button
              type="submit"
              icon={<Send size={16} />}
              loading={isSubmitting}
              disabled={isOff}
              minH={{ base: '11', sm: '9' }}
            >
              {t('send')}
            </Button>
          </chakra.div>
        </chakra.form>
      </chakra.div>
    </Page>
  );
}
