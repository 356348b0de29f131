import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { integrationsQuery } from '@/features/integrations/api';
import { promptsQuery } from '@/features/prompts/api';
import { planAllows } from '@/lib/permissions';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { ColorPicker } from './ColorPicker';
import type { QueueDraft } from './drafts';
import { MessageField } from './MessageField';
import type { Queue } from './types';

interface QueueFieldsProps {
  form: UseFormReturn<QueueDraft>;
  /** The company's other queues. */
  others: readonly Queue[];
}

/** The name, colour, responder and greeting of a queue. */
export function QueueFields({ form, others }: QueueFieldsProps) {
  const { t } = useTranslation('queues');
  const errorText = useErrorText();
  const { errors } = form.formState;
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.div
        display="grid"
        gap="3"
        gridTemplateColumns={{ base: '1fr 96px', sm: 'minmax(0, 1fr) 136px 88px' }}
      >
        <chakra.div gridColumn={{ base: '1 / -1', sm: 'auto' }} minW="0">
          <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
            <TextInput autoFocus autoComplete="off" maxLength={50} {...form.register('name')} />
          </Field>
        </chakra.div>
        <Field label={t('fields.color')} error={errorText(errors.color?.message)} required>
          <Controller
            control={form.control}
            name="color"
            render={({ field }) => (
              <ColorPicker value={field.value} onChange={field.onChange} taken={others} />
            )}
          />
        </Field>
        <Field label={t('fields.order')} error={errorText(errors.orderQueue?.message)} required>
          <TextInput
            type="number"
            step={1}
            fontVariantNumeric="tabular-nums"
            {...form.register('orderQueue', { valueAsNumber: true })}
          />
        </Field>
      </chakra.div>
      <Answering form={form} />
      <MessageField
        control={form.control}
        name="greetingMessage"
        label={t('fields.greeting')}
        help={t('fields.greetingHelp')}
      />
    </chakra.div>
  );
}

/**
 * The integration or prompt that answers instead of the options, if the plan includes it, and
 * whether inactivity closes the ticket.
 */
function Answering({ form }: { form: UseFormReturn<QueueDraft> }) {
  const { t } = useTranslation('queues');
  const user = useCurrentUser();
  const hasIntegrations = planAllows(user, 'useIntegrations');
  const integrations = useQuery({ ...integrationsQuery(), enabled: hasIntegrations });
  const hasPrompts = planAllows(user, 'useOpenAi');
  const prompts = useQuery({ ...promptsQuery(), enabled: hasPrompts });
  const errorText = useErrorText();
  const { errors } = form.formState;
  const [integrationId, promptId] = useWatch({
    control: form.control,
    name: ['integrationId', 'promptId'],
  });
  return (
    <chakra.div
      display="grid"
      gap="3"
      alignItems="start"
      gridTemplateColumns={{ base: '1fr', sm: 'repeat(auto-fit, minmax(180px, 1fr))' }}
    >
      {hasIntegrations && (
        <Field
          label={t('fields.integration')}
          error={errorText(errors.integrationId?.message)}
          {...(integrationId && { help: t('fields.integrationHelp') })}
        >
          <LinkSelect
            form={form}
            name="integrationId"
            placeholder={t('fields.noIntegration')}
            rows={integrations.data}
          />
        </Field>
      )}
      {hasPrompts && (
        <Field
          label={t('fields.prompt')}
          error={errorText(errors.promptId?.message)}
          {...(promptId && !integrationId && { help: t('fields.promptHelp') })}
        >
          <LinkSelect
            form={form}
            name="promptId"
            placeholder={t('fields.noPrompt')}
            rows={prompts.data}
          />
        </Field>
      )}
      <chakra.div
        pt={{ base: '0', sm: '8' }}
        display="flex"
        flexDirection="column"
        alignItems="flex-start"
        gap="3"
      >
        <Controller
          control={form.control}
          name="expireChat"
          render={({ field }) => (
            <Switch
              checked={field.value}
              onChange={field.onChange}
              label={t('fields.expireChat')}
            />
          )}
        />
        <Controller
          control={form.control}
          name="asksTransferNote"
          render={({ field }) => (
            <Switch
              checked={field.value}
              onChange={field.onChange}
              label={t('fields.asksTransferNote')}
            />
          )}
        />
      </chakra.div>
    </chakra.div>
  );
}

interface LinkSelectProps {
  form: UseFormReturn<QueueDraft>;
  name: 'integrationId' | 'promptId';
  placeholder: string;
  rows: readonly { id: number; name: string }[] | undefined;
}

function LinkSelect({ form, name, placeholder, rows }: LinkSelectProps) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Select
          // Until the list is loaded, the choice has no name.
          disabled={rows === undefined}
          placeholder={placeholder}
          options={(rows ?? []).map((row) => ({ value: String(row.id), label: row.name }))}
          value={field.value === null || !rows ? '' : String(field.value)}
          onChange={(event) => field.onChange(Number(event.target.value) || null)}
          onBlur={field.onBlur}
        />
      )}
    />
  );
}
