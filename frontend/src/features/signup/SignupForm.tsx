import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { RadioCards } from '@/components/RadioCards';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { ApiError } from '@/lib/api/errors';
import type { Plan } from '@/lib/api/types';
import { showFieldErrors } from '@/lib/forms';
import { usePlanWords } from '@/lib/planWords';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useSignUp } from './api';
import { signupSchema, type SignupForm as Values } from './schemas';

interface SignupFormProps {
  plans: readonly Plan[];
  /** Called after the company was created, with the address with which its admin signs in. */
  onDone: (email: string) => void;
}

/** The form with which a customer creates a company (rules/companies §7). */
export function SignupForm({ plans, onDone }: SignupFormProps) {
  const { t } = useTranslation('signup');
  const errorText = useErrorText();
  const form = useForm<Values>({
    resolver: zodResolver(signupSchema),
    defaultValues: { name: '', email: '', phone: '', password: '', planId: plans[0]?.id },
  });
  const { errors } = form.formState;
  const signUp = useSignUp();

  const submit = form.handleSubmit((values) =>
    signUp.mutateAsync(values).then(
      () => {
        toast.success(t('done'));
        onDone(values.email);
      },
      (error: unknown) => {
        showFieldErrors(form, error);
        const isAboutValues = error instanceof ApiError && error.status === 400;
        if (isAboutValues) toast.errorText(t('failed'));
        else toast.error(error);
      },
    ),
  );

  return (
    <chakra.form
      w="full"
      display="flex"
      flexDirection="column"
      gap="5"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
        <TextInput size="lg" autoComplete="organization" autoFocus {...form.register('name')} />
      </Field>
      <Field
        label={t('fields.email')}
        help={t('fields.emailHelp')}
        error={errorText(errors.email?.message)}
        required
      >
        <TextInput
          size="lg"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          {...form.register('email')}
        />
      </Field>
      <Field label={t('fields.phone')} error={errorText(errors.phone?.message)} required>
        <TextInput
          size="lg"
          type="tel"
          autoComplete="tel"
          placeholder="(11) 98765-4321"
          fontVariantNumeric="tabular-nums"
          {...form.register('phone')}
        />
      </Field>
      <Field
        label={t('fields.password')}
        help={t('fields.passwordHelp')}
        error={errorText(errors.password?.message)}
        required
      >
        <PasswordInput size="lg" autoComplete="new-password" {...form.register('password')} />
      </Field>
      <Controller
        control={form.control}
        name="planId"
        render={({ field }) => (
          <PlanChoice
            plans={plans}
            value={field.value}
            onChange={field.onChange}
            error={errorText(errors.planId?.message)}
          />
        )}
      />
      <chakra.div display="flex" flexDirection="column" gap="2">
        <Button type="submit" size="lg" loading={signUp.isPending}>
          {t('submit')}
        </Button>
        <chakra.p textStyle="xs" color="fg.muted" textAlign="center">
          {t('terms')}
        </chakra.p>
      </chakra.div>
    </chakra.form>
  );
}

interface PlanChoiceProps {
  plans: readonly Plan[];
  value: number;
  onChange: (id: number) => void;
  error: string | undefined;
}

/** The plans, each with its price, limits and features. */
function PlanChoice({ plans, value, onChange, error }: PlanChoiceProps) {
  const { t } = useTranslation(['signup', 'billing']);
  const words = usePlanWords();
  const id = useId();
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5">
      <chakra.p id={id} textStyle="sm" fontWeight="semibold">
        {t('fields.plan')}
      </chakra.p>
      <RadioCards
        name="plan"
        labelledBy={id}
        describedBy={`${id}-error`}
        most={1}
        value={String(value)}
        onChange={(chosen) => onChange(Number(chosen))}
        choices={plans.map((plan) => {
          const amounts = words.amounts(plan).join(' · ');
          const features = words.features(plan);
          return {
            value: String(plan.id),
            label: plan.name,
            aside: words.price(plan),
            help: features.length
              ? t('planHolds', { amounts, features: features.join(', ') })
              : amounts,
          };
        })}
      />
      {error && (
        <chakra.p id={`${id}-error`} textStyle="xs" color="status.danger.fg" role="alert">
          {error}
        </chakra.p>
      )}
    </chakra.div>
  );
}
