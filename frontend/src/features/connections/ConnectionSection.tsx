import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { Field } from '@/components/Field';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { queuesQuery } from '@/features/queues/api';
import { useErrorText } from '@/lib/useErrorText';
import { Pair } from './fields';
import type { Form } from './form';
import type { Connection } from './types';

interface ConnectionSectionProps {
  form: Form;
  connection: Connection | undefined;
  isFirst: boolean;
}

/** Whose number it is, and where its conversations go. */
export function ConnectionSection({ form, connection, isFirst }: ConnectionSectionProps) {
  const { t } = useTranslation('connections');
  const queues = useQuery(queuesQuery());
  const errorText = useErrorText();
  const { errors } = form.formState;
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
        <TextInput autoFocus autoComplete="off" {...form.register('name')} />
      </Field>
      <Pair>
        <Field
          label={t('fields.phoneNumberId')}
          error={errorText(errors.phone_number_id?.message)}
          required
        >
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            fontVariantNumeric="tabular-nums"
            {...form.register('phone_number_id')}
          />
        </Field>
        <Field label={t('fields.wabaId')} error={errorText(errors.waba_id?.message)} required>
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            fontVariantNumeric="tabular-nums"
            {...form.register('waba_id')}
          />
        </Field>
      </Pair>
      <Field
        label={t('fields.accessToken')}
        help={connection?.accessToken ? t('fields.tokenKept') : t('fields.tokenHelp')}
        error={errorText(errors.accessToken?.message)}
      >
        <PasswordInput
          autoComplete="off"
          placeholder={connection?.accessToken}
          {...form.register('accessToken')}
        />
      </Field>
      <Field
        label={t('fields.queues')}
        help={t('fields.queuesHelp')}
        error={errorText(errors.queueIds?.message)}
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
  );
}
