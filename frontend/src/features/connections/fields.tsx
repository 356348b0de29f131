import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { Controller, type FieldPathByValue } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { queuesQuery } from '@/features/queues/api';
import { useErrorText } from '@/lib/useErrorText';
import type { Form } from './form';
import type { ConnectionForm } from './schemas';

type TextName = FieldPathByValue<ConnectionForm, string>;
type ReferenceName = 'transferQueueId' | 'textToTransferQueueId' | 'integrationId' | 'promptId';

/** A part of a tab with its own heading. */
export function Section(props: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <chakra.section
      display="flex"
      flexDirection="column"
      gap="4"
      _notFirst={{ borderTopWidth: '1px', borderColor: 'border.subtle', pt: '5' }}
    >
      <chakra.div>
        <chakra.h3 textStyle="md" fontWeight="semibold">
          {props.title}
        </chakra.h3>
        {props.text && (
          <chakra.p textStyle="sm" color="fg.muted" mt="0.5">
            {props.text}
          </chakra.p>
        )}
      </chakra.div>
      {props.children}
    </chakra.section>
  );
}

/** Two fields side by side where there is room. */
export function Pair({ children }: { children: ReactNode }) {
  return (
    <chakra.div
      display="grid"
      gap="4"
      alignItems="start"
      gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}
    >
      {children}
    </chakra.div>
  );
}

interface TextFieldProps {
  form: Form;
  name: TextName;
  label: string;
  help?: string;
  required?: boolean;
}

/** A text to the contact, with buttons that insert variables at the caret. */
export function MessageField({ form, name, ...words }: TextFieldProps) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => <Message {...words} {...{ form, field }} />}
    />
  );
}

interface MessageProps extends Omit<TextFieldProps, 'name'> {
  field: {
    name: TextName;
    value: string;
    onChange: (text: string) => void;
    onBlur: () => void;
    ref: (element: HTMLTextAreaElement | null) => void;
  };
}

function Message({ form, field, label, help, required }: MessageProps) {
  const errorText = useErrorText();
  const { areaRef, insert } = useInsertion(field.value, field.onChange);
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <Field
        label={label}
        help={help}
        required={required ?? false}
        error={errorText(form.formState.errors[field.name]?.message)}
      >
        <TextArea
          rows={2}
          name={field.name}
          value={field.value}
          ref={(element) => {
            areaRef.current = element;
            field.ref(element);
          }}
          onChange={(event) => field.onChange(event.target.value)}
          onBlur={field.onBlur}
        />
      </Field>
      <VariableChips onPick={insert} />
    </chakra.div>
  );
}

interface SwitchFieldProps extends Omit<TextFieldProps, 'name' | 'required'> {
  name: FieldPathByValue<ConnectionForm, boolean>;
  disabled?: boolean;
}

/** A switch with a sentence about what it does. */
export function SwitchField({ form, name, label, help, disabled = false }: SwitchFieldProps) {
  const helpId = useId();
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <chakra.div display="flex" flexDirection="column" alignItems="flex-start" gap="1.5">
          <Switch
            label={label}
            checked={field.value}
            onChange={field.onChange}
            disabled={disabled}
            {...(help && { 'aria-describedby': helpId })}
          />
          {help && (
            <chakra.p id={helpId} textStyle="xs" color="fg.muted">
              {help}
            </chakra.p>
          )}
        </chakra.div>
      )}
    />
  );
}

/** A field for a whole number with its unit. */
export function NumberField({ form, name, unit, ...words }: TextFieldProps & { unit: string }) {
  const errorText = useErrorText();
  return (
    <Field {...words} error={errorText(form.formState.errors[name]?.message)}>
      <chakra.div display="flex" alignItems="center" gap="2">
        <chakra.div w="28">
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            fontVariantNumeric="tabular-nums"
            {...form.register(name)}
          />
        </chakra.div>
        <chakra.span textStyle="sm" color="fg.muted">
          {unit}
        </chakra.span>
      </chakra.div>
    </Field>
  );
}

interface ChoiceFieldProps {
  form: Form;
  name: ReferenceName;
  label: string;
  help?: string;
  none: string;
  options: readonly { id: number; name: string }[] | undefined;
  onChosen?: (id: number | null) => void;
}

/** A select for one record, or none. */
export function ChoiceField({ form, name, label, help, none, options, ...on }: ChoiceFieldProps) {
  const errorText = useErrorText();
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Field label={label} help={help} error={errorText(form.formState.errors[name]?.message)}>
          <Select
            name={field.name}
            ref={field.ref}
            value={field.value ?? ''}
            onBlur={field.onBlur}
            onChange={({ target }) => {
              const id = target.value === '' ? null : Number(target.value);
              field.onChange(id);
              on.onChosen?.(id);
            }}
            placeholder={none}
            options={(options ?? missing(field.value)).map((each) => ({
              value: String(each.id),
              label: each.name,
            }))}
          />
        </Field>
      )}
    />
  );
}

/** The chosen record has a placeholder until the list is loaded. */
const missing = (id: number | null) => (id === null ? [] : [{ id, name: '…' }]);

/** A select for a queue of the company, or none. */
export function QueueField(props: Omit<ChoiceFieldProps, 'options' | 'none'>) {
  const { t } = useTranslation('connections');
  const queues = useQuery(queuesQuery());
  return <ChoiceField {...props} none={t('noQueue')} options={queues.data} />;
}
