import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { queuesQuery } from '@/features/queues/api';
import { formatCount } from '@/lib/format';
import { showFieldErrors } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { touch } from '@/theme/screens';
import { useSavePrompt } from './api';
import { formOf, inputOf, MAX_PROMPT, promptSchema, type PromptForm } from './schemas';
import { SecretField } from './SecretField';
import { TemperatureField } from './TemperatureField';
import { TestPanel } from './TestPanel';
import type { Prompt } from './types';
import { TEXT, VOICES } from './voices';

interface PromptDialogProps {
  /** The prompt to edit; without it a new one is created. */
  prompt?: Prompt;
  onClose: () => void;
}

/** Adds or edits a prompt, with a test conversation beside the form. */
export function PromptDialog({ prompt, onClose }: PromptDialogProps) {
  const { t } = useTranslation(['prompts', 'common', 'reasons']);
  const queues = useQuery(queuesQuery());
  const form = useForm<PromptForm>({
    resolver: zodResolver(promptSchema({ hasVoiceKey: Boolean(prompt?.voiceKey) })),
    defaultValues: formOf(prompt),
  });
  const save = useSavePrompt(prompt?.id);
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const [text, voice, baseUrl] = useWatch({
    control: form.control,
    name: ['prompt', 'voice', 'baseUrl'],
  });
  const keepSecret = (name: 'apiKey' | 'voiceKey') => () => {
    form.resetField(name);
    form.clearErrors(name);
  };
  const refused = (error: unknown) => showFieldErrors(form, error);

  const submit = form.handleSubmit((values) =>
    save.mutateAsync(inputOf(values)).then(
      () => {
        toast.success(t('saved'));
        onClose();
      },
      (error: unknown) => {
        if (!refused(error)) toast.error(error);
      },
    ),
  );

  return (
    <FormDialog
      onClose={onClose}
      size="xl"
      dirty={isDirty && !save.isSuccess}
      title={prompt ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={prompt ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div
        display="grid"
        gap="6"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 340px' }}
      >
        <chakra.div
          display="grid"
          gap="4"
          alignContent="start"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }}
        >
          <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
            <TextInput autoFocus autoComplete="off" maxLength={100} {...form.register('name')} />
          </Field>
          <Field
            label={t('fields.queue')}
            help={t('fields.queueHelp')}
            error={errorText(errors.queueId?.message)}
            required
          >
            <Select
              placeholder={t('fields.noQueue')}
              // A native select shows its value only if the option exists: remount it with the
              // options.
              key={queues.data ? 'loaded' : 'loading'}
              options={(queues.data ?? []).map(({ id, name }) => ({
                value: String(id),
                label: name,
              }))}
              {...form.register('queueId')}
            />
          </Field>
          <Wide>
            <Field
              label={t('fields.prompt')}
              help={t('fields.promptHelp')}
              error={errorText(errors.prompt?.message)}
              aside={
                <chakra.span
                  textStyle="xs"
                  color={text.length > MAX_PROMPT ? 'status.danger.fg' : 'fg.muted'}
                  fontVariantNumeric="tabular-nums"
                >
                  {t('fields.promptCount', {
                    count: text.length,
                    shown: formatCount(text.length),
                    most: formatCount(MAX_PROMPT),
                  })}
                </chakra.span>
              }
              required
            >
              <TextArea
                rows={9}
                placeholder={t('fields.promptPlaceholder')}
                {...form.register('prompt')}
              />
            </Field>
          </Wide>
          <Wide>
            <SecretField
              label={t('fields.apiKey')}
              help={t('fields.apiKeyHelp')}
              error={errorText(errors.apiKey?.message)}
              isStored={Boolean(prompt?.apiKey)}
              required={!prompt?.apiKey && baseUrl === ''}
              onKeep={keepSecret('apiKey')}
              registration={form.register('apiKey')}
            />
          </Wide>
          <Field
            label={t('fields.maxTokens')}
            help={t('fields.maxTokensHelp')}
            error={errorText(errors.maxTokens?.message)}
            required
          >
            <TextInput inputMode="numeric" autoComplete="off" {...form.register('maxTokens')} />
          </Field>
          <Field
            label={t('fields.maxMessages')}
            help={t('fields.maxMessagesHelp')}
            error={errorText(errors.maxMessages?.message)}
            required
          >
            <TextInput inputMode="numeric" autoComplete="off" {...form.register('maxMessages')} />
          </Field>
          <Controller
            control={form.control}
            name="temperature"
            render={({ field }) => (
              <TemperatureField
                value={field.value}
                onChange={field.onChange}
                error={errorText(errors.temperature?.message)}
              />
            )}
          />
          <Field
            label={t('fields.voice')}
            help={t('fields.voiceHelp')}
            error={errorText(errors.voice?.message)}
          >
            <Select
              options={[
                { value: TEXT, label: t('voices.text') },
                ...VOICES.map(({ value, name }) => ({
                  value,
                  label: t('voices.name', { name }),
                })),
              ]}
              {...form.register('voice')}
            />
          </Field>
          {voice !== TEXT && (
            <>
              <SecretField
                label={t('fields.voiceKey')}
                error={errorText(errors.voiceKey?.message)}
                isStored={Boolean(prompt?.voiceKey)}
                required
                onKeep={keepSecret('voiceKey')}
                registration={form.register('voiceKey')}
              />
              <Field
                label={t('fields.voiceRegion')}
                error={errorText(errors.voiceRegion?.message)}
                required
              >
                <TextInput
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="brazilsouth"
                  maxLength={50}
                  {...form.register('voiceRegion')}
                />
              </Field>
            </>
          )}
          <Wide>
            <Advanced
              startsOpen={Boolean(prompt?.model) || Boolean(prompt?.baseUrl)}
              hasFault={errors.model !== undefined || errors.baseUrl !== undefined}
            >
              <Field
                label={t('fields.model')}
                help={t('fields.modelHelp')}
                error={errorText(errors.model?.message)}
              >
                <TextInput
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={100}
                  {...form.register('model')}
                />
              </Field>
              <Field
                label={t('fields.baseUrl')}
                help={t('fields.baseUrlHelp')}
                error={errorText(errors.baseUrl?.message)}
              >
                <TextInput
                  type="url"
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={500}
                  placeholder="https://"
                  {...form.register('baseUrl')}
                />
              </Field>
            </Advanced>
          </Wide>
        </chakra.div>
        <chakra.div
          position={{ md: 'sticky' }}
          top="0"
          alignSelf="start"
          w="full"
          h={{ base: '380px', md: '520px' }}
          minW="0"
        >
          <TestPanel
            promptId={prompt?.id}
            onRefused={refused}
            draft={async () =>
              (await form.trigger(undefined, { shouldFocus: true }))
                ? inputOf(form.getValues())
                : null
            }
          />
        </chakra.div>
      </chakra.div>
    </FormDialog>
  );
}

interface AdvancedProps {
  startsOpen: boolean;
  /** Opens the section, because a field in it has an error. */
  hasFault: boolean;
  children: ReactNode;
}

/** The settings that few users change. */
function Advanced({ startsOpen, hasFault, children }: AdvancedProps) {
  const { t } = useTranslation('prompts');
  const [isOpen, setOpen] = useState(startsOpen);
  if (hasFault && !isOpen) setOpen(true);
  return (
    <chakra.details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      borderTopWidth="1px"
      pt="3"
    >
      <chakra.summary
        cursor="pointer"
        textStyle="sm"
        fontWeight="semibold"
        borderRadius="sm"
        w="fit-content"
        css={{ [touch]: { py: '3' } }}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '2px' }}
      >
        {t('advanced')}
      </chakra.summary>
      <chakra.div
        mt="3"
        display="grid"
        gap="4"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }}
      >
        {children}
      </chakra.div>
    </chakra.details>
  );
}

const Wide = chakra('div', { base: { gridColumn: '1 / -1', minW: '0' } });
