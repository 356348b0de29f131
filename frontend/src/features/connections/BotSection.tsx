import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import { integrationsQuery } from '@/features/integrations/api';
import { promptsQuery } from '@/features/prompts/api';
import { useErrorText } from '@/lib/useErrorText';
import {
  ChoiceField,
  MessageField,
  NumberField,
  Pair,
  QueueField,
  Section,
  SwitchField,
} from './fields';
import type { Form } from './form';

interface BotSectionProps {
  form: Form;
  /** The features of the plan. */
  shown: { integrations: boolean; prompts: boolean };
}

/**
 * The menu's limits, the keyword, and the integration or prompt that answers instead of the menu.
 */
export function BotSection({ form, shown }: BotSectionProps) {
  const { t } = useTranslation('connections');
  const errorText = useErrorText();
  const integrations = useQuery({ ...integrationsQuery(), enabled: shown.integrations });
  const prompts = useQuery({ ...promptsQuery(), enabled: shown.prompts });
  /** Only one of the two can answer: choosing one clears the other. */
  const leave = (other: 'integrationId' | 'promptId') => (id: number | null) => {
    if (id !== null) form.setValue(other, null, { shouldDirty: true });
  };
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <Section title={t('bot.menu')} text={t('bot.menuText')}>
        <Pair>
          <NumberField
            form={form}
            name="maxUseBotQueues"
            label={t('fields.maxMenus')}
            help={t('fields.maxMenusHelp')}
            unit={t('units.times')}
          />
          <NumberField
            form={form}
            name="timeUseBotQueues"
            label={t('fields.menuInterval')}
            help={t('fields.menuIntervalHelp')}
            unit={t('units.minutes')}
          />
        </Pair>
        <Pair>
          <NumberField
            form={form}
            name="botQuietSeconds"
            label={t('fields.quiet')}
            help={t('fields.quietHelp')}
            unit={t('units.seconds')}
          />
          <NumberField
            form={form}
            name="menuSilenceMinutes"
            label={t('fields.menuSilence')}
            help={t('fields.menuSilenceHelp')}
            unit={t('units.minutes')}
          />
        </Pair>
        <SwitchField
          form={form}
          name="joinBotTexts"
          label={t('fields.joinTexts')}
          help={t('fields.joinTextsHelp')}
        />
      </Section>
      <Section title={t('bot.keyword')} text={t('bot.keywordText')}>
        <Pair>
          <Field
            label={t('fields.keyword')}
            help={t('fields.keywordHelp')}
            error={errorText(form.formState.errors.textToTransfer?.message)}
          >
            <TextInput autoComplete="off" {...form.register('textToTransfer')} />
          </Field>
          <QueueField form={form} name="textToTransferQueueId" label={t('fields.keywordQueue')} />
        </Pair>
      </Section>
      {(shown.integrations || shown.prompts) && (
        <Section title={t('bot.assistant')} text={t('bot.assistantText')}>
          <Pair>
            {shown.integrations && (
              <ChoiceField
                form={form}
                name="integrationId"
                label={t('fields.integration')}
                none={t('noIntegration')}
                options={integrations.data}
                onChosen={leave('promptId')}
              />
            )}
            {shown.prompts && (
              <ChoiceField
                form={form}
                name="promptId"
                label={t('fields.prompt')}
                none={t('noPrompt')}
                options={prompts.data}
                onChosen={leave('integrationId')}
              />
            )}
          </Pair>
          {shown.integrations && (
            <NumberField
              form={form}
              name="integrationSilenceMinutes"
              label={t('fields.silence')}
              help={t('fields.silenceHelp')}
              unit={t('units.minutes')}
            />
          )}
        </Section>
      )}
      <Section title={t('bot.fallback')} text={t('bot.fallbackText')}>
        <MessageField
          form={form}
          name="fallbackMessage"
          label={t('fields.fallback')}
          help={t('fields.fallbackHelp')}
        />
      </Section>
    </chakra.div>
  );
}
