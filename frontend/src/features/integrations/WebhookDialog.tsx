import { zodResolver } from '@hookform/resolvers/zod';
import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { formatDateTime } from '@/lib/format';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { NewSecretDialog, SigningSecret } from './SigningSecret';
import type { OutgoingWebhook } from './types';
import { useRenewSecret, useSaveWebhook } from './webhookApi';
import { WEBHOOK_EVENTS, webhookFormOf, webhookSchema, type WebhookForm } from './webhookSchemas';
import { WebhookTest } from './WebhookTest';

interface WebhookDialogProps {
  /** The webhook to edit; without it a new one is made. */
  webhook?: OutgoingWebhook;
  onClose: () => void;
}

/** Adds or edits an outgoing webhook, and tries it. A new secret is shown once. */
export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const { t } = useTranslation(['webhooks', 'integrations', 'common', 'reasons']);
  const [secret, setSecret] = useState('');
  const form = useForm<WebhookForm>({
    resolver: zodResolver(webhookSchema),
    defaultValues: webhookFormOf(webhook),
  });
  const save = useSaveWebhook(webhook?.id);
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;

  const submit = form.handleSubmit((values) =>
    save.mutateAsync(values).then(
      (saved) => {
        toast.success(t(webhook ? 'edited' : 'added'));
        if (webhook) onClose();
        else setSecret(saved.secret);
      },
      (error: unknown) => showRefusal(form, error),
    ),
  );

  if (secret) return <NewSecretDialog secret={secret} onClose={onClose} />;

  return (
    <FormDialog
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={webhook ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={webhook ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div display="grid" gap="4" minW="0">
        {webhook && <Trouble webhook={webhook} />}
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" maxLength={50} {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.url')}
          help={t('fields.urlHelp')}
          error={errorText(errors.url?.message)}
          required
        >
          <TextInput
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            placeholder="https://"
            {...form.register('url')}
          />
        </Field>
        <Controller
          control={form.control}
          name="events"
          render={({ field }) => (
            <Field label={t('fields.events')} error={errorText(errors.events?.message)} required>
              <CheckList
                empty=""
                options={WEBHOOK_EVENTS.map((event, id) => ({ id, name: t(`events.${event}`) }))}
                value={WEBHOOK_EVENTS.flatMap((event, id) =>
                  field.value.includes(event) ? [id] : [],
                )}
                onChange={(ids) =>
                  field.onChange(WEBHOOK_EVENTS.filter((_, id) => ids.includes(id)))
                }
              />
            </Field>
          )}
        />
        <Controller
          control={form.control}
          name="isActive"
          render={({ field }) => (
            <Switch checked={field.value} onChange={field.onChange} label={t('fields.active')} />
          )}
        />
        {webhook ? (
          <>
            <WebhookTest webhook={webhook} isChanged={isDirty} />
            <WebhookSecret webhook={webhook} onRenewed={setSecret} />
          </>
        ) : (
          <chakra.p textStyle="xs" color="fg.muted">
            {t('willShow')}
          </chakra.p>
        )}
      </chakra.div>
    </FormDialog>
  );
}

/** Reports that it was switched off or fails, with the remedy. */
function Trouble({ webhook }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const isStopped = webhook.stoppedBy === 'failures';
  if (!isStopped && !webhook.failingSince) return null;
  const since = webhook.failingSince ? formatDateTime(webhook.failingSince) : '';
  return (
    <chakra.p
      px="3"
      py="2"
      borderRadius="md"
      textStyle="sm"
      {...(isStopped
        ? { bg: 'status.danger.subtle', color: 'status.danger.fg' }
        : { bg: 'status.waiting.subtle', color: 'status.waiting.fg' })}
    >
      {t(isStopped ? 'trouble.stopped' : 'trouble.failing', { since })}
    </chakra.p>
  );
}

function WebhookSecret(props: { webhook: OutgoingWebhook; onRenewed: (secret: string) => void }) {
  const { id, name } = props.webhook;
  return <SigningSecret rotate={useRenewSecret(id)} name={name} onRotated={props.onRenewed} />;
}
