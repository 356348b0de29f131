import { zodResolver } from '@hookform/resolvers/zod';
import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { queuesQuery } from '@/features/queues/api';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useRotateSecret, useSaveIntegration } from './api';
import { DialogflowFields } from './DialogflowFields';
import { isSigned } from './integrationTypes';
import { bodyOf, formOf, integrationSchema, type IntegrationForm } from './schemas';
import { NewSecretDialog, SigningSecret } from './SigningSecret';
import { TestSession } from './TestSession';
import { TypebotFields } from './TypebotFields';
import { TypeChoice } from './TypeChoice';
import type { Integration } from './types';

interface IntegrationDialogProps {
  /** The integration to edit; without it a new one is made. */
  integration?: Integration;
  onClose: () => void;
}

/** Adds or edits an integration; its fields are those of the type. A new secret is shown once. */
export function IntegrationDialog({ integration, onClose }: IntegrationDialogProps) {
  const { t } = useTranslation(['integrations', 'common', 'reasons']);
  const [secret, setSecret] = useState('');
  const form = useForm<IntegrationForm>({
    resolver: zodResolver(integrationSchema),
    defaultValues: formOf(integration),
  });
  const queues = useQuery(queuesQuery());
  const save = useSaveIntegration(integration?.id);
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const type = useWatch({ control: form.control, name: 'type' }) as Integration['type'];

  const submit = form.handleSubmit((values) =>
    save.mutateAsync(bodyOf(values)).then(
      (saved) => {
        toast.success(t(integration ? 'edited' : 'added'));
        const isNew = isSigned(type) && !(integration && isSigned(integration.type));
        if (isNew && !saved.signingSecret.startsWith('•')) setSecret(saved.signingSecret);
        else onClose();
      },
      (error: unknown) => showRefusal(form, error),
    ),
  );

  if (secret) return <NewSecretDialog secret={secret} onClose={onClose} />;

  return (
    <FormDialog
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={integration ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={integration ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
        <Wide>
          <TypeChoice
            value={type}
            onChange={(next) => {
              form.setValue('type', next, { shouldDirty: true });
              form.clearErrors();
            }}
          />
        </Wide>
        <Wide>
          <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
            <TextInput autoFocus autoComplete="off" maxLength={50} {...form.register('name')} />
          </Field>
        </Wide>
        {(isSigned(type) || type === 'typebot') && (
          <Wide>
            <Field
              label={t(type === 'typebot' ? 'fields.typebotUrl' : 'fields.url')}
              help={t(type === 'typebot' ? 'fields.typebotUrlHelp' : 'fields.urlHelp')}
              error={errorText(errors.urlN8N?.message)}
              required
            >
              <TextInput
                type="url"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                maxLength={500}
                placeholder="https://"
                {...form.register('urlN8N')}
              />
            </Field>
          </Wide>
        )}
        {type === 'typebot' && <TypebotFields form={form} />}
        {type === 'dialogflow' && <DialogflowFields form={form} integration={integration} />}
        {type === 'asaas' && (
          <Wide>
            <chakra.p textStyle="sm" color="fg.muted">
              {t('asaasHelp')}
            </chakra.p>
          </Wide>
        )}
        <Wide>
          <Field
            label={t('fields.queue')}
            help={t('fields.queueHelp')}
            error={errorText(errors.queueId?.message)}
          >
            <Select
              // A native select shows its value only once its option is there.
              key={queues.data ? 'loaded' : 'loading'}
              options={[
                { value: '', label: t('fields.noQueue') },
                ...(queues.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              {...form.register('queueId')}
            />
          </Field>
        </Wide>
        <Wide>
          <TestSession key={type} form={form} integrationId={integration?.id} />
        </Wide>
        {isSigned(type) && (
          <Wide>
            {integration && isSigned(integration.type) ? (
              <IntegrationSecret integration={integration} onRotated={setSecret} />
            ) : (
              <chakra.p textStyle="xs" color="fg.muted">
                {t('secret.willShow')}
              </chakra.p>
            )}
          </Wide>
        )}
      </chakra.div>
    </FormDialog>
  );
}

function IntegrationSecret(props: {
  integration: Integration;
  onRotated: (secret: string) => void;
}) {
  const { id, name } = props.integration;
  return <SigningSecret rotate={useRotateSecret(id)} name={name} onRotated={props.onRotated} />;
}

const Wide = chakra('div', { base: { gridColumn: '1 / -1', minW: '0' } });
