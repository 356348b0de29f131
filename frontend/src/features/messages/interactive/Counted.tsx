import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Field } from '@/components/Field';
import { TextArea, TextInput } from '@/components/TextInput';

interface CountedProps {
  label: ReactNode;
  value: string;
  limit: number;
  onChange: (value: string) => void;
  error: string | undefined;
  required?: boolean;
  help?: string;
  lines?: boolean;
  placeholder?: string;
}

/** A text field that shows how much of its limit is used. */
export function Counted(props: CountedProps) {
  const { label, value, limit, onChange, error, required = false, lines = false } = props;
  const Control = lines ? TextArea : TextInput;
  return (
    <Field
      label={label}
      required={required}
      error={error}
      help={props.help}
      aside={
        <chakra.span
          aria-hidden
          textStyle="xs"
          color={value.length > limit ? 'status.danger.fg' : 'fg.muted'}
          fontVariantNumeric="tabular-nums"
        >
          {value.length}/{limit}
        </chakra.span>
      }
    >
      <Control
        autoComplete="off"
        value={value}
        // A long text stays, so that it can be shortened; a title is cut where it ends.
        {...(!lines && { maxLength: limit })}
        {...(props.placeholder && { placeholder: props.placeholder })}
        onChange={(event: { target: { value: string } }) => onChange(event.target.value)}
      />
    </Field>
  );
}
