import { chakra } from '@chakra-ui/react';
import { createContext, useContext, useId, type ReactNode } from 'react';

interface FieldContext {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

/** The id of a control's label, for elements that refer to it. */
export const labelId = (id: string) => `${id}-label`;

const Context = createContext<FieldContext | null>(null);

/** The props that a control gets from the surrounding Field: id, description, validity. */
export function useFieldProps() {
  const field = useContext(Context);
  if (!field) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  };
}

interface FieldProps {
  label: ReactNode;
  /** At the right end of the label's line, e.g. a link. */
  aside?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  children: ReactNode;
}

/** A control with its label above, help text below and error message. */
export function Field({ label, aside, help, error, required = false, children }: FieldProps) {
  const id = useId();
  const helpId = `${id}-help`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, help && helpId].filter(Boolean).join(' ') || undefined;
  return (
    <Context value={{ id, describedBy, invalid: Boolean(error), required }}>
      <chakra.div display="flex" flexDirection="column" gap="1.5" minW="0" w="full">
        <chakra.div display="flex" justifyContent="space-between" gap="2">
          <chakra.label id={labelId(id)} htmlFor={id} textStyle="sm" fontWeight="semibold">
            {label}
          </chakra.label>
          {aside}
        </chakra.div>
        {children}
        {error && (
          <chakra.p id={errorId} textStyle="xs" color="status.danger.fg" role="alert">
            {error}
          </chakra.p>
        )}
        {help && (
          <chakra.p id={helpId} textStyle="xs" color="fg.muted">
            {help}
          </chakra.p>
        )}
      </chakra.div>
    </Context>
  );
}
