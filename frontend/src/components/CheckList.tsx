import { chakra } from '@chakra-ui/react';
import { labelId, useFieldProps } from './Field';
import { Checkbox } from './Toggle';

interface CheckOption {
  id: number;
  name: string;
  /** A CSS colour from the data, as a round dot before the name. */
  color?: string;
}

interface CheckListProps {
  options: readonly CheckOption[];
  value: readonly number[];
  onChange: (ids: number[]) => void;
  disabled?: boolean;
  /** Shown when there is nothing to choose. */
  empty: string;
}

/** Several choices of a short list, inside a Field. */
export function CheckList({ options, value, onChange, disabled, empty }: CheckListProps) {
  const { id } = useFieldProps();
  return (
    <chakra.div
      role="group"
      {...(id && { 'aria-labelledby': labelId(id) })}
      display="flex"
      flexWrap="wrap"
      columnGap="4"
      rowGap="2"
      px="3"
      py="2"
      borderWidth="1px"
      borderRadius="md"
    >
      {options.length === 0 && (
        <chakra.p textStyle="sm" color="fg.muted">
          {empty}
        </chakra.p>
      )}
      {options.map((option) => (
        <Checkbox
          key={option.id}
          checked={value.includes(option.id)}
          disabled={disabled ?? false}
          onChange={(on) =>
            onChange(on ? [...value, option.id] : value.filter((other) => other !== option.id))
          }
          label={
            <chakra.span display="inline-flex" alignItems="center" gap="1.5" textStyle="sm">
              {option.color && (
                <chakra.span
                  aria-hidden
                  w="2"
                  h="2"
                  borderRadius="full"
                  style={{ backgroundColor: option.color }}
                />
              )}
              {option.name}
            </chakra.span>
          }
        />
      ))}
    </chakra.div>
  );
}
