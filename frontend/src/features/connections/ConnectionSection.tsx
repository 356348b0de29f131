import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { Trans, useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { Field } from '@/components/Field';
import { RadioCards } from '@/components/RadioCards';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { queuesQuery } from '@/features/queues/api';
import { errorMessage } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { Pair, Section, SwitchField } from './fields';
import type { Form } from './form';
import { SetupSection } from './SetupSection';
import type { Connection } from './types';
import { WebhookSection } from './WebhookSection';

const PROVIDERS = ['beta', 'official'] as const;

/** The page of Meta's console with the user's apps. */
const META_APPS = 'https://developers.facebook.com/apps/';

interface ConnectionSectionProps {
  form: Form;
  connection: Connection | undefined;
  isFirst: boolean;
}

/** The name and provider of the number, and the destination of its conversations. */
export function ConnectionSection({ form, connection, isFirst }: ConnectionSectionProps) {
  const { t } = useTranslation('connections');
  const queues = useQuery(queuesQuery());
  const errorText = useErrorText();
  const { errors } = form.formState;
  const provider = useWatch({ control: form.control, name: 'provider' });
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
        <TextInput autoFocus autoComplete="off" {...form.register('name')} />
      </Field>
      {!connection && <ProviderChoice form={form} />}
      {provider === 'official' && (
        <>
          <MetaSection {...{ form, connection }} />
          <WebhookSection />
          <SetupSection {...{ form, connection }} />
        </>
      )}
      <Section title={t('meta.service')}>
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
                options={queues.data}
                error={queues.error && errorMessage(queues.error)}
                value={field.value}
                onChange={field.onChange}
                empty={t('fields.noQueues')}
              />
            )}
          />
        </Field>
        <SwitchField
          form={form}
          name="isDefault"
          label={t('fields.isDefault')}
          disabled={isFirst}
        />
      </Section>
    </chakra.div>
  );
}

/** The provider of the number, which cannot be changed later. */
function ProviderChoice({ form }: { form: Form }) {
  const { t } = useTranslation('connections');
  const label = useId();
  const help = useId();
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.span id={label} textStyle="sm" fontWeight="semibold">
        {t('provider.label')}
      </chakra.span>
      <Controller
        control={form.control}
        name="provider"
        render={({ field }) => (
          <RadioCards
            name={field.name}
            labelledBy={label}
            describedBy={help}
            value={field.value}
            onChange={field.onChange}
            choices={PROVIDERS.map((value) => ({
              value,
              label: t(`provider.${value}`),
              help: t(`provider.${value}Help`),
            }))}
          />
        )}
      />
      <chakra.span id={help} textStyle="xs" color="fg.muted">
        {t('provider.help')}
      </chakra.span>
    </chakra.div>
  );
}

type MetaSectionProps = Pick<ConnectionSectionProps, 'form' | 'connection'>;

/** The ids and token of the number at Meta. */
function MetaSection({ form, connection }: MetaSectionProps) {
  const { t } = useTranslation('connections');
  const errorText = useErrorText();
  const { errors } = form.formState;
  return (
    <Section
      title={t('meta.title')}
      text={
        <Trans
          t={t}
          i18nKey="meta.text"
          components={{
            page: (
              <chakra.a
                href={META_APPS}
                target="_blank"
                rel="noreferrer"
                color="brand.fg"
                textDecoration="underline"
              />
            ),
          }}
        />
      }
    >
      <Pair>
        <Field
          label={t('fields.phoneNumberId')}
          help={t('fields.phoneNumberIdHelp')}
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
        <Field
          label={t('fields.wabaId')}
          help={t('fields.wabaIdHelp')}
          error={errorText(errors.waba_id?.message)}
          required
        >
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
        help={
          <>
            {t('fields.tokenWhere')}{' '}
            {connection?.accessToken ? t('fields.tokenKept') : t('fields.tokenHelp')}
          </>
        }
        error={errorText(errors.accessToken?.message)}
      >
        <PasswordInput
          autoComplete="off"
          placeholder={connection?.accessToken}
          {...form.register('accessToken')}
        />
      </Field>
    </Section>
  );
}
