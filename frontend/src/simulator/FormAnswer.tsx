import { chakra } from '@chakra-ui/react';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { TextArea, TextInput } from '@/components/TextInput';
import type { FlowPart } from './api';

interface Props {
  title: string;
  /** The button that opens the form. */
  button: string;
  parts: FlowPart[];
  onSend: (values: Record<string, string>) => void;
}

/** A form of WhatsApp: a button opens its screen, which the customer fills in and sends. */
export function FormAnswer({ title, button, parts, onSend }: Props) {
  const { t } = useTranslation('simulator');
  const [open, setOpen] = useState(false);
  const [values, setValues] = useState<Record<string, string>>({});
  const shown = parts.flatMap((part) => part.children ?? [part]);
  const footer = shown.find(({ type }) => type === 'Footer');
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    setOpen(false);
    onSend(values);
  };
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
        {button}
      </Button>
      <Dialog
        open={open}
        title={title}
        size="sm"
        onClose={() => setOpen(false)}
        onSubmit={send}
        footer={<Button type="submit">{footer?.label ?? t('form.send')}</Button>}
      >
        <chakra.div display="grid" gap="4">
          {shown.map((part, place) => (
            <Part
              key={part.name ?? place}
              part={part}
              value={values[part.name ?? ''] ?? ''}
              onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </chakra.div>
      </Dialog>
    </>
  );
}

const TYPES = new Map([
  ['email', 'email'],
  ['phone', 'tel'],
]);

interface PartProps {
  part: FlowPart;
  value: string;
  onChange: (name: string, value: string) => void;
}

function Part({ part, value, onChange }: PartProps) {
  const { type, name = '', label = '', text, required = false } = part;
  if (type === 'TextInput' || type === 'TextArea') {
    return (
      <Field label={label} help={part['helper-text']} required={required}>
        {type === 'TextArea' ? (
          <TextArea
            value={value}
            required={required}
            maxLength={part['max-length']}
            onChange={({ target }) => onChange(name, target.value)}
          />
        ) : (
          <TextInput
            type={TYPES.get(part['input-type'] ?? '') ?? 'text'}
            value={value}
            required={required}
            maxLength={part['max-chars']}
            autoComplete="off"
            onChange={({ target }) => onChange(name, target.value)}
          />
        )}
      </Field>
    );
  }
  return text ? <chakra.p textStyle="sm">{text}</chakra.p> : null;
}
