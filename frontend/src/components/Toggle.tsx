import { Checkbox as ChakraCheckbox, Switch as ChakraSwitch } from '@chakra-ui/react';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';

interface ToggleProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The label beside the control; without one, use `aria-label`. */
  label?: ReactNode;
  'aria-label'?: string;
  'aria-describedby'?: string;
  /** The id of the input, for a label elsewhere. */
  id?: string;
  disabled?: boolean;
  name?: string;
  /** Puts the label before the control, as in a toolbar. */
  labelFirst?: boolean;
}

export function Switch({ checked, onChange, label, labelFirst, ...props }: ToggleProps) {
  const words = label !== undefined && <ChakraSwitch.Label>{label}</ChakraSwitch.Label>;
  return (
    <ChakraSwitch.Root
      checked={checked}
      onCheckedChange={(details) => onChange(details.checked)}
      disabled={props.disabled}
      name={props.name}
      {...(props.id && { ids: { hiddenInput: props.id } })}
    >
      <ChakraSwitch.HiddenInput
        aria-label={props['aria-label']}
        aria-describedby={props['aria-describedby']}
      />
      {labelFirst && words}
      <ChakraSwitch.Control>
        <ChakraSwitch.Thumb />
      </ChakraSwitch.Control>
      {!labelFirst && words}
    </ChakraSwitch.Root>
  );
}

interface CheckboxProps extends Omit<ToggleProps, 'checked' | 'labelFirst'> {
  checked: boolean | 'indeterminate';
}

export function Checkbox({ checked, onChange, label, ...props }: CheckboxProps) {
  return (
    <ChakraCheckbox.Root
      checked={checked}
      onCheckedChange={(details) => onChange(details.checked === true)}
      disabled={props.disabled}
      name={props.name}
    >
      <ChakraCheckbox.HiddenInput
        aria-label={props['aria-label']}
        aria-describedby={props['aria-describedby']}
      />
      <ChakraCheckbox.Control>
        {checked === true && <Check size={12} strokeWidth={3} />}
        {checked === 'indeterminate' && <Minus size={12} strokeWidth={3} />}
      </ChakraCheckbox.Control>
      {label !== undefined && <ChakraCheckbox.Label>{label}</ChakraCheckbox.Label>}
    </ChakraCheckbox.Root>
  );
}
