import { zodResolver } from '@hookform/resolvers/zod';
import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { DateField } from '@/components/DateField';
import { Dialog } from '@/components/Dialog';
import { Field, labelId, useFieldProps } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { Checkbox } from '@/components/Toggle';
import { dayOf, isDay } from '@/lib/dates';
import { showRefusal } from '@/lib/forms';
import { useErrorText } from '@/lib/useErrorText';
import { useCreateServiceToken, type Scope } from './tokensApi';

/** The scopes in the order of the form (rules/accounts §12). */
export const SCOPES = [
  'read',
  'tickets',
  'messages',
  'contacts',
  'campaigns',
  'webhooks',
  'events',
] as const satisfies readonly Scope[];

/** Messages are keys of the texts. */
const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  scopes: z.array(z.enum(SCOPES)).min(1, 'messagesApi:tokens.errors.scopes'),
  expiresAt: z.string().refine((day) => !day || isDay(day), 'messagesApi:tokens.errors.day'),
});
type Values = z.infer<typeof schema>;

/** Creates a service token and shows its text once. */
export function ServiceTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['messagesApi', 'common']);
  const [text, setText] = useState('');
  const create = useCreateServiceToken();
  const errorText = useErrorText();
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: { name: '', scopes: ['read'], expiresAt: '' },
  });
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit(({ expiresAt, ...values }) =>
    // The token ends with the day, in the company's time zone.
    create.mutateAsync({ ...values, expiresAt: expiresAt ? `${expiresAt}T23:59:59` : null }).then(
      (created) => setText(created.token),
      (error: unknown) => showRefusal(form, error),
    ),
  );

  if (text) return <NewToken text={text} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      dirty={isDirty && !create.isSuccess}
      title={t('tokens.add')}
      onSubmit={submit}
      submitLabel={t('tokens.submit')}
      busy={create.isPending}
    >
      <chakra.div display="grid" gap="4" minW="0">
        <Field
          label={t('tokens.name')}
          help={t('tokens.nameHelp')}
          error={errorText(errors.name?.message)}
          required
        >
          <TextInput autoFocus autoComplete="off" maxLength={50} {...form.register('name')} />
        </Field>
        <Controller
          control={form.control}
          name="scopes"
          render={({ field }) => (
            <Field label={t('tokens.scopes')} error={errorText(errors.scopes?.message)} required>
              <ScopeList value={field.value} onChange={field.onChange} />
            </Field>
          )}
        />
        <Controller
          control={form.control}
          name="expiresAt"
          render={({ field }) => (
            <Field
              label={t('tokens.end')}
              help={t('tokens.endHelp')}
              error={errorText(errors.expiresAt?.message)}
            >
              <DateField value={field.value} onChange={field.onChange} min={dayOf(new Date())} />
            </Field>
          )}
        />
        <chakra.p textStyle="xs" color="fg.muted">
          {t('tokens.willShow')}
        </chakra.p>
      </chakra.div>
    </FormDialog>
  );
}

interface ScopeListProps {
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
}

function ScopeList({ value, onChange }: ScopeListProps) {
  const { t } = useTranslation('messagesApi');
  const { id } = useFieldProps();
  return (
    <chakra.div role="group" {...(id && { 'aria-labelledby': labelId(id) })} display="grid" gap="2">
      {SCOPES.map((scope) => (
        <chakra.div key={scope}>
          <Checkbox
            checked={value.includes(scope)}
            onChange={(on) =>
              onChange(SCOPES.filter((each) => (each === scope ? on : value.includes(each))))
            }
            label={t(`tokens.scope.${scope}`)}
          />
          <chakra.p ps="6" textStyle="xs" color="fg.muted">
            {t(`tokens.scopeHelp.${scope}`)}
          </chakra.p>
        </chakra.div>
      ))}
    </chakra.div>
  );
}

function NewToken({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation('messagesApi');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('tokens.created')}
      footer={
        <Button autoFocus onClick={onClose}>
          {t('tokens.kept')}
        </Button>
      }
    >
      <chakra.div display="grid" gap="3" minW="0">
        <chakra.p textStyle="sm" color="fg.muted">
          {t('tokens.once')}
        </chakra.p>
        <CopyLine text={text} label={t('tokens.copy')} />
      </chakra.div>
    </Dialog>
  );
}
