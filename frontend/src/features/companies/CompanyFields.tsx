import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateField } from '@/components/DateField';
import { Field } from '@/components/Field';
import { FieldGrid } from '@/components/RecordForm';
import { Select } from '@/components/Select';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { plansQuery } from '@/features/plans/api';
import { useErrorText } from '@/lib/useErrorText';
import {
  BILLING,
  extended,
  isSuperCompany,
  MONTHS,
  RECURRENCES,
  type CompanyForm,
} from './schemas';
import type { Company } from './types';

interface CompanyFieldsProps {
  form: UseFormReturn<CompanyForm>;
  stored: Company | null;
}

/** The fields of a company: identity, plan and due date. */
export function CompanyFields({ form, stored }: CompanyFieldsProps) {
  const { t } = useTranslation('companies');
  const errorText = useErrorText();
  const { errors } = form.formState;
  const plans = useQuery(plansQuery());
  const isSuper = isSuperCompany(stored);
  const switched = (on: string, off: string) => [
    { value: 'true', label: t(on) },
    { value: 'false', label: t(off) },
  ];
  return (
    <>
      <FieldGrid>
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.email')}
          help={stored ? undefined : t('fields.emailHelp')}
          error={errorText(errors.email?.message)}
        >
          <TextInput type="email" autoComplete="off" {...form.register('email')} />
        </Field>
        {!stored && (
          <Field
            label={t('fields.password')}
            help={t('fields.passwordHelp')}
            error={errorText(errors.password?.message)}
          >
            <PasswordInput autoComplete="new-password" {...form.register('password')} />
          </Field>
        )}
        <Field label={t('fields.phone')} error={errorText(errors.phone?.message)}>
          <TextInput type="tel" autoComplete="off" {...form.register('phone')} />
        </Field>
        <Field label={t('fields.plan')} error={errorText(errors.planId?.message)} required>
          <Select
            placeholder={t('fields.planPlaceholder')}
            options={plansOf(plans.data, stored).map(({ id, name }) => ({
              value: String(id),
              label: name,
            }))}
            {...form.register('planId')}
          />
        </Field>
        <Field
          label={t('fields.status')}
          help={isSuper ? t('fields.statusFixed') : undefined}
          error={errorText(errors.status?.message)}
        >
          <Select
            options={switched('active', 'inactive').slice(0, isSuper ? 1 : 2)}
            {...form.register('status')}
          />
        </Field>
        <Field label={t('fields.campaigns')} error={errorText(errors.campaignsEnabled?.message)}>
          <Select
            options={switched('enabled', 'disabled')}
            {...form.register('campaignsEnabled')}
          />
        </Field>
        <Field label={t('fields.recurrence')} error={errorText(errors.recurrence?.message)}>
          <Select
            options={RECURRENCES.map((value) => ({ value, label: t(`recurrence.${value}`) }))}
            {...form.register('recurrence')}
          />
        </Field>
        <DueDate form={form} stored={stored} />
      </FieldGrid>
      <BillingFields form={form} />
    </>
  );
}

/** The available plans; before they are loaded, at least the company's own. */
const plansOf = (known: readonly { id: number; name: string }[] | undefined, own: Company | null) =>
  known ?? (own ? [own.plan] : []);

function DueDate({ form, stored }: CompanyFieldsProps) {
  const { t } = useTranslation('companies');
  const errorText = useErrorText();
  const isSuper = isSuperCompany(stored);
  const extend = () => {
    const [dueDate, recurrence] = form.getValues(['dueDate', 'recurrence']);
    form.setValue('dueDate', extended(dueDate, MONTHS[recurrence]), { shouldDirty: true });
  };
  return (
    <Field
      label={t('fields.dueDate')}
      help={t(`fields.dueDateHelp.${isSuper ? 'never' : stored ? 'stored' : 'new'}`)}
      error={errorText(form.formState.errors.dueDate?.message)}
    >
      <Controller
        control={form.control}
        name="dueDate"
        render={({ field }) => <DateField {...field} readOnly={isSuper} />}
      />
      {!isSuper && (
        <chakra.div>
          <Button
            variant="outline"
            size="sm"
            icon={<CalendarPlus size={16} aria-hidden />}
            onClick={extend}
          >
            {t('extend', { count: MONTHS[form.watch('recurrence')] })}
          </Button>
        </chakra.div>
      )}
    </Field>
  );
}

/** The billing fields, collapsed by default. */
function BillingFields({ form }: { form: UseFormReturn<CompanyForm> }) {
  const { t } = useTranslation('companies');
  const errorText = useErrorText();
  const { errors } = form.formState;
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || BILLING.some((name) => errors[name]);
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.div>
        <Button
          variant="ghost"
          size="sm"
          ms="-3"
          aria-expanded={isShown}
          icon={isShown ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
          onClick={() => setOpen(!isShown)}
        >
          {t('billing')}
        </Button>
      </chakra.div>
      {isShown && (
        <FieldGrid>
          {BILLING.map((name) => (
            <Field key={name} label={t(`fields.${name}`)} error={errorText(errors[name]?.message)}>
              <TextInput autoComplete="off" {...form.register(name)} />
            </Field>
          ))}
        </FieldGrid>
      )}
    </chakra.div>
  );
}
