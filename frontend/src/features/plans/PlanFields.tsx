import { chakra } from '@chakra-ui/react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FieldGrid } from '@/components/RecordForm';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { useErrorText } from '@/lib/useErrorText';
import { FEATURES, LIMITS, type PlanForm } from './schemas';

/** A plan's name, price, limits and features. */
export function PlanFields({ form }: { form: UseFormReturn<PlanForm> }) {
  const { t } = useTranslation('plans');
  const errorText = useErrorText();
  const { errors } = form.formState;
  return (
    <>
      <FieldGrid>
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.value')}
          help={t('fields.valueHelp')}
          error={errorText(errors.value?.message)}
          required
        >
          <TextInput inputMode="decimal" autoComplete="off" {...form.register('value')} />
        </Field>
      </FieldGrid>
      <chakra.fieldset>
        <chakra.legend textStyle="sm" fontWeight="semibold" mb="0.5">
          {t('fields.limits')}
        </chakra.legend>
        <chakra.p textStyle="xs" color="fg.muted" mb="3">
          {t('fields.limitsHelp')}
        </chakra.p>
        <chakra.div
          display="grid"
          gridTemplateColumns="repeat(auto-fill, minmax(136px, 1fr))"
          gap="4"
          alignItems="start"
        >
          {LIMITS.map((name) => (
            <Field key={name} label={t(`columns.${name}`)} error={errorText(errors[name]?.message)}>
              <TextInput inputMode="numeric" autoComplete="off" {...form.register(name)} />
            </Field>
          ))}
        </chakra.div>
      </chakra.fieldset>
      <chakra.fieldset>
        <chakra.legend textStyle="sm" fontWeight="semibold" mb="3">
          {t('fields.features')}
        </chakra.legend>
        <chakra.div
          position="relative"
          display="grid"
          gridTemplateColumns="repeat(auto-fill, minmax(min(200px, 100%), 1fr))"
          gap="3"
        >
          {FEATURES.map((name) => (
            <Flag key={name} form={form} name={name} label={t(`features.${name}`)} />
          ))}
        </chakra.div>
      </chakra.fieldset>
      <chakra.div position="relative">
        <Flag form={form} name="isPublic" label={t('fields.isPublic')} />
        <chakra.p textStyle="xs" color="fg.muted" mt="1">
          {t('fields.isPublicHelp')}
        </chakra.p>
      </chakra.div>
    </>
  );
}

interface FlagProps {
  form: UseFormReturn<PlanForm>;
  name: (typeof FEATURES)[number] | 'isPublic';
  label: string;
}

const Flag = ({ form, name, label }: FlagProps) => (
  <Controller
    control={form.control}
    name={name}
    render={({ field }) => (
      <Switch checked={field.value} onChange={field.onChange} label={label} name={name} />
    )}
  />
);
