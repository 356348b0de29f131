import { chakra } from '@chakra-ui/react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { TextArea, TextInput } from '@/components/TextInput';
import { useErrorText } from '@/lib/useErrorText';
import type { IntegrationForm } from './schemas';

/** What only a Typebot has. */
export function TypebotFields({ form }: { form: UseFormReturn<IntegrationForm> }) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const { errors } = form.formState;
  return (
    <>
      <chakra.div gridColumn="1 / -1">
        <Field
          label={t('fields.slug')}
          help={t('fields.slugHelp')}
          error={errorText(errors.typebotSlug?.message)}
          required
        >
          <TextInput
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            {...form.register('typebotSlug')}
          />
        </Field>
      </chakra.div>
      <Field
        label={t('fields.expires')}
        help={t('fields.expiresHelp')}
        error={errorText(errors.typebotExpires?.message)}
      >
        <TextInput inputMode="numeric" autoComplete="off" {...form.register('typebotExpires')} />
      </Field>
      <Field
        label={t('fields.delay')}
        help={t('fields.delayHelp')}
        error={errorText(errors.typebotDelayMessage?.message)}
      >
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          {...form.register('typebotDelayMessage')}
        />
      </Field>
      <Field
        label={t('fields.keywordFinish')}
        help={t('fields.keywordFinishHelp')}
        error={errorText(errors.typebotKeywordFinish?.message)}
      >
        <TextInput autoComplete="off" maxLength={100} {...form.register('typebotKeywordFinish')} />
      </Field>
      <Field
        label={t('fields.keywordRestart')}
        help={t('fields.keywordRestartHelp')}
        error={errorText(errors.typebotKeywordRestart?.message)}
      >
        <TextInput autoComplete="off" maxLength={100} {...form.register('typebotKeywordRestart')} />
      </Field>
      <chakra.div gridColumn="1 / -1">
        <Field
          label={t('fields.restartMessage')}
          error={errorText(errors.typebotRestartMessage?.message)}
        >
          <TextArea rows={2} maxLength={4096} {...form.register('typebotRestartMessage')} />
        </Field>
      </chakra.div>
      <chakra.div gridColumn="1 / -1">
        <Field
          label={t('fields.unknownMessage')}
          help={t('fields.unknownMessageHelp')}
          error={errorText(errors.typebotUnknownMessage?.message)}
        >
          <TextArea rows={2} maxLength={4096} {...form.register('typebotUnknownMessage')} />
        </Field>
      </chakra.div>
    </>
  );
}
