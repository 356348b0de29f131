import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { Controller, useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { LoadingDialog } from '@/components/LoadingDialog';
import { RadioCards } from '@/components/RadioCards';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { policyQuery, useSavePolicy } from './calls';
import { useDistributes } from './presences';
import { RehearsalDialog } from './rehearsals/RehearsalDialog';
import { RehearseButton } from './rehearsals/RehearseButton';
import {
  limitsOf,
  policyForm,
  policyInput,
  policySchema,
  withoutHidden,
  type NumberName,
  type PolicyForm,
} from './schemas';
import type { AssignmentPolicy, PolicyInput } from './types';

const MODES = ['manual', 'round_robin', 'least_busy'] as const;

interface AssignmentDialogProps {
  queue: { id: number; name: string };
  onClose: () => void;
}

/** How a queue gives what waits to people (rules/desk §2). */
export function AssignmentDialog({ queue, onClose }: AssignmentDialogProps) {
  const { t } = useTranslation('desk');
  const stored = useQuery(policyQuery(queue.id));
  const title = t('assignment.title', { name: queue.name });
  if (stored.data)
    return <Form policy={stored.data} name={queue.name} title={title} onClose={onClose} />;
  return <LoadingDialog size="lg" title={title} query={stored} onClose={onClose} />;
}

interface FormProps {
  policy: AssignmentPolicy;
  name: string;
  title: string;
  onClose: () => void;
}

function Form({ policy: { queueId, ...policy }, name, title, onClose }: FormProps) {
  const { t } = useTranslation(['desk', 'common']);
  const isOn = useDistributes();
  const form = useForm<PolicyForm>({
    // A wrong number that is no longer shown would refuse the form without a word.
    resolver: (values, context, options) =>
      zodResolver(policySchema)(withoutHidden(values, policy), context, options),
    defaultValues: policyForm(policy),
  });
  const save = useSavePolicy(queueId);
  const { isDirty } = form.formState;
  const [mode, sticky, returnMinutes] = useWatch({
    control: form.control,
    name: ['mode', 'sticky', 'returnMinutes'],
  });
  const returns = parseInt(returnMinutes, 10) > 0;
  const ids = { label: useId(), help: useId() };
  const isAutomatic = mode !== 'manual';
  // What is tried, as the form was when that began.
  const [tried, setTried] = useState<PolicyInput | null>(null);
  const rehearse = form.handleSubmit((values) => setTried(policyInput(values)));

  const submit = form.handleSubmit((values) =>
    save.mutateAsync(policyInput(values)).then(
      () => {
        toast.success(t('assignment.saved'));
        onClose();
      },
      (error: unknown) => showRefusal(form, error),
    ),
  );
  const option = (name: string, value: string) => ({ value, label: t(`${name}.${value}`) });
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={title}
      onSubmit={submit}
      submitLabel={t('common:actions.save')}
      busy={save.isPending}
      beside={<RehearseButton onClick={() => void rehearse()} />}
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <chakra.div display="flex" flexDirection="column" gap="1.5">
          <chakra.span id={ids.label} textStyle="sm" fontWeight="semibold">
            {t('assignment.mode')}
          </chakra.span>
          <Controller
            control={form.control}
            name="mode"
            render={({ field }) => (
              <RadioCards
                name="mode"
                labelledBy={ids.label}
                describedBy={ids.help}
                value={field.value}
                onChange={field.onChange}
                choices={MODES.map((value) => ({
                  value,
                  label: t(`modes.${value}`),
                  help: t(`modes.${value}Help`),
                }))}
              />
            )}
          />
          <chakra.p id={ids.help} textStyle="xs" color="fg.muted">
            {isAutomatic && !isOn ? t('assignment.switchesOn') : t('assignment.modeHelp')}
          </chakra.p>
        </chakra.div>

        {isAutomatic && (
          <>
            <Part title={t('assignment.who')}>
              <Field label={t('assignment.order')}>
                <Select
                  {...form.register('order')}
                  options={['longest_waiting', 'oldest'].map((each) => option('orders', each))}
                />
              </Field>
              <Field label={t('assignment.sticky')} help={t('assignment.stickyHelp')}>
                <Select
                  {...form.register('sticky')}
                  options={['off', 'same_queue', 'any'].map((each) => option('stickies', each))}
                />
              </Field>
              {sticky !== 'off' && (
                <>
                  <NumberField form={form} name="stickyDays" />
                  <NumberField form={form} name="stickyWaitMinutes" help />
                </>
              )}
              <NumberField form={form} name="fairLimit" />
              <NumberField form={form} name="fairWindowMinutes" />
            </Part>
            <Controller
              control={form.control}
              name="manualAccept"
              render={({ field }) => (
                <Switch
                  checked={field.value}
                  onChange={field.onChange}
                  label={t('assignment.manualAccept')}
                />
              )}
            />
          </>
        )}

        <Part title={t('assignment.back')}>
          <NumberField form={form} name="returnMinutes" help />
          {returns && (
            <>
              <Field label={t('assignment.returnTo')}>
                <Select
                  {...form.register('returnTo')}
                  options={['next', 'queue', 'supervisors'].map((each) => option('returns', each))}
                />
              </Field>
              <NumberField form={form} name="maxReturns" />
            </>
          )}
          <Field label={t('assignment.offlineAction')}>
            <Select
              {...form.register('offlineAction')}
              options={['keep', 'return'].map((each) => option('offline', each))}
            />
          </Field>
          <NumberField form={form} name="graceMinutes" help />
          <NumberField form={form} name="releaseMinutes" help />
        </Part>
      </chakra.div>
      {tried && (
        <RehearsalDialog
          title={name}
          proposal={{ subject: 'assignment', queueId, assignment: tried }}
          isOn={isOn && policy.mode !== 'manual'}
          onSwitchOn={() => {
            setTried(null);
            void submit();
          }}
          onClose={() => setTried(null)}
        />
      )}
    </FormDialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <chakra.fieldset border="0" p="0" m="0" minW="0">
      <chakra.legend textStyle="sm" fontWeight="semibold" mb="3">
        {title}
      </chakra.legend>
      <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
        {children}
      </chakra.div>
    </chakra.fieldset>
  );
}

interface NumberFieldProps {
  form: UseFormReturn<PolicyForm>;
  name: NumberName;
  /** Whether `assignment.<name>Help` explains it. */
  help?: boolean;
}

function NumberField({ form, name, help = false }: NumberFieldProps) {
  const { t } = useTranslation('desk');
  const message = form.formState.errors[name]?.message;
  const limits = limitsOf(message);
  return (
    <Field
      label={t(`assignment.${name}`)}
      {...(help && { help: t(`assignment.${name}Help`) })}
      error={limits ? t('invalid.number', limits) : message}
    >
      <TextInput inputMode="numeric" autoComplete="off" {...form.register(name)} />
    </Field>
  );
}
