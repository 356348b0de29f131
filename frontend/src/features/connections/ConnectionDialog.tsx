import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FormFooter } from '@/components/FormFooter';
import { PasswordInput, TextArea, TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { queuesQuery } from '@/features/queues/api';
import { showFieldErrors, useFieldWords } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useSaveConnection, type Connection } from './api';
import { connectionSchema, type ConnectionForm } from './schemas';

interface ConnectionDialogProps {
  /** The connection to edit; without it a new one is made. */
  connection?: Connection;
  /** The first connection is the default one, whatever is chosen. */
  isFirst: boolean;
  onClose: () => void;
}

const WIRE_NAMES = {
  name: 'name',
  phone_number_id: 'phone_number_id',
  waba_id: 'waba_id',
  accessToken: 'accessToken',
  queueIds: 'queueIds',
  greetingMessage: 'greetingMessage',
  isDefault: 'isDefault',
} as const;

/** An official number, entered by hand. */
export function ConnectionDialog({ connection, isFirst, onClose }: ConnectionDialogProps) {
  const { t } = useTranslation(['connections', 'common']);
  const queues = useQuery(queuesQuery());
  const save = useSaveConnection(connection?.id);
  const form = useForm<ConnectionForm>({
    resolver: zodResolver(connectionSchema),
    defaultValues: {
      name: connection?.name ?? '',
      phone_number_id: connection?.phone_number_id ?? '',
      waba_id: connection?.waba_id ?? '',
      accessToken: '',
      queueIds: connection?.queues.map(({ id }) => id) ?? [],
      greetingMessage: connection?.greetingMessage ?? '',
      isDefault: connection?.isDefault ?? isFirst,
    },
  });
  const { errors, isDirty } = form.formState;
  const words = useFieldWords();

  const submit = form.handleSubmit((values) =>
    save.mutateAsync({ ...values, provider: 'official' }).then(
      () => {
        toast.success(t('saved'));
        onClose();
      },
      (error: unknown) => {
        if (!showFieldErrors(form, error, WIRE_NAMES)) toast.error(error);
      },
    ),
  );

  return (
    <Dialog
      open
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={connection ? t('dialog.edit') : t('dialog.add')}
      onSubmit={(event) => void submit(event)}
      footer={
        <FormFooter
          onCancel={onClose}
          submit={connection ? t('common:actions.save') : t('dialog.submit')}
          busy={save.isPending}
        />
      }
    >
      <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
        <chakra.div gridColumn="1 / -1">
          <Field label={t('fields.name')} error={words(errors.name?.message)} required>
            <TextInput autoFocus autoComplete="off" {...form.register('name')} />
          </Field>
        </chakra.div>
        <Field
          label={t('fields.phoneNumberId')}
          error={words(errors.phone_number_id?.message)}
          required
        >
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            fontVariantNumeric="tabular-nums"
            {...form.register('phone_number_id')}
          />
        </Field>
        <Field label={t('fields.wabaId')} error={words(errors.waba_id?.message)} required>
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            fontVariantNumeric="tabular-nums"
            {...form.register('waba_id')}
          />
        </Field>
        <chakra.div gridColumn="1 / -1">
          <Field
            label={t('fields.accessToken')}
            help={connection?.accessToken ? t('fields.tokenKept') : t('fields.tokenHelp')}
            error={words(errors.accessToken?.message)}
          >
            <PasswordInput
              autoComplete="off"
              placeholder={connection?.accessToken}
              {...form.register('accessToken')}
            />
          </Field>
        </chakra.div>
        <chakra.div gridColumn="1 / -1">
          <Field
            label={t('fields.queues')}
            help={t('fields.queuesHelp')}
            error={words(errors.queueIds?.message)}
          >
            <Controller
              control={form.control}
              name="queueIds"
              render={({ field }) => (
                <CheckList
                  options={queues.data ?? []}
                  value={field.value}
                  onChange={field.onChange}
                  empty={t('fields.noQueues')}
                />
              )}
            />
          </Field>
        </chakra.div>
        <chakra.div gridColumn="1 / -1">
          <Field label={t('fields.greeting')} error={words(errors.greetingMessage?.message)}>
            <TextArea rows={3} {...form.register('greetingMessage')} />
          </Field>
        </chakra.div>
        <chakra.div gridColumn="1 / -1">
          <Controller
            control={form.control}
            name="isDefault"
            render={({ field }) => (
              <Switch
                label={t('fields.isDefault')}
                checked={field.value}
                onChange={field.onChange}
                disabled={isFirst}
              />
            )}
          />
        </chakra.div>
      </chakra.div>
    </Dialog>
  );
}
