import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { inputRecipe } from '@/theme/recipes/controls';
import { useFieldProps } from './Field';

const StyledSelect = chakra('select', inputRecipe);

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

interface SelectProps extends Omit<HTMLChakraProps<'select'>, 'size' | 'multiline'> {
  size?: 'sm' | 'md' | 'lg';
  options: readonly Option[];
  /** The label of the empty option; without it there is none. */
  placeholder?: string;
  ref?: Ref<HTMLSelectElement>;
}

/** A native select, which phones and screen readers support best. */
export function Select({ options, placeholder, ...props }: SelectProps) {
  const field = useFieldProps();
  return (
    <chakra.div position="relative" w="full">
      <StyledSelect {...field} appearance="none" pe="9" cursor="pointer" {...props}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </StyledSelect>
      <chakra.span
        position="absolute"
        insetBlock="0"
        insetEnd="3"
        display="flex"
        alignItems="center"
        color="fg.muted"
        pointerEvents="none"
      >
        <ChevronDown size={16} />
      </chakra.span>
    </chakra.div>
  );
}
