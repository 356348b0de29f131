import { chakra } from '@chakra-ui/react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { useErrorText } from '@/lib/useErrorText';
import type { PayerForm } from './schemas';

const WORDS = {
  firstName: 'name',
  address2: 'street-address',
  city: 'address-level2',
  state: 'address-level1',
  zipcode: 'postal-code',
} as const;
const NAMES = ['firstName', 'address2', 'city', 'state', 'zipcode'] as const;

/** Who pays, and where. */
export function PayerStep({ form }: { form: UseFormReturn<PayerForm> }) {
  const { t } = useTranslation('billing');
  const errorText = useErrorText();
  const { errors } = form.formState;
  return (
    <chakra.div display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
      {NAMES.map((name) => (
        <chakra.div
          key={name}
          gridColumn={name === 'firstName' || name === 'address2' ? '1 / -1' : undefined}
        >
          <Field
            label={t(`payer.${name}`)}
            error={errorText(errors[name]?.message)}
            required={name !== 'state'}
          >
            <TextInput autoComplete={WORDS[name]} {...form.register(name)} />
          </Field>
        </chakra.div>
      ))}
      <Field label={t('payer.country')} error={errorText(errors.country?.message)} required>
        <Select
          placeholder=""
          options={[
            { value: 'BR', label: t('payer.countries.BR') },
            { value: 'usa', label: t('payer.countries.usa') },
          ]}
          {...form.register('country')}
        />
      </Field>
    </chakra.div>
  );
}
