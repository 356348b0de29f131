import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import type { RetentionLimits, RetentionValues } from './types';

const CHOICES: Record<keyof RetentionValues, readonly number[]> = {
  messagesYears: [1, 2, 3, 5, 10, 20],
  mediaMonths: [1, 3, 6, 12, 24, 60, 120],
  logsDays: [1, 3, 7, 15, 30, 60, 90],
};

const FIELDS = Object.keys(CHOICES) as (keyof RetentionValues)[];

interface RetentionFieldsProps {
  values: RetentionValues;
  limits: RetentionLimits;
  onChange: (values: RetentionValues) => void;
  errors: Partial<Record<string, string[]>>;
}

/** How long messages, files and logs are kept, each a choice of spans. */
export function RetentionFields({ values, limits, onChange, errors }: RetentionFieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}>
      {FIELDS.map((name) => {
        const value = values[name];
        const offered = CHOICES[name].filter((span) => span < limits[name]);
        // What a program chose stays choosable, and so does the longest.
        const spans = [...new Set([...offered, limits[name], ...(value === null ? [] : [value])])];
        return (
          <Field
            key={name}
            label={t(`retention.fields.${name}.label`)}
            help={t(`retention.fields.${name}.help`)}
            error={errors[name]?.[0]}
          >
            <Select
              value={value ?? ''}
              placeholder={t(`retention.fields.${name}.forever`)}
              options={spans
                .sort((left, right) => left - right)
                .map((span) => ({
                  value: String(span),
                  label: t(`retention.fields.${name}.span`, { count: span }),
                }))}
              onChange={({ target }) =>
                onChange({ ...values, [name]: target.value === '' ? null : Number(target.value) })
              }
            />
          </Field>
        );
      })}
    </chakra.div>
  );
}
