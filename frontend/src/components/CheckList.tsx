import { chakra } from '@chakra-ui/react';
import { labelId, useFieldProps } from './Field';
import { Skeleton } from './States';
import { Checkbox } from './Toggle';

interface CheckOption {
  id: number;
  name: string;
  /** A CSS colour from the data, as a round dot before the name. */
  color?: string;
}

interface CheckListProps {
  /** Undefined while the options are loading. */
  options: readonly CheckOption[] | undefined;
  /** Why the options could not be loaded, in words. */
  error?: string | null;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  disabled?: boolean;
  /** Shown if there are no options. */
  empty: string;
}

/** Widths of the skeleton rows, similar to those of names. */
const WIDTHS = ['96px', '72px', '120px'];

/** A multiple choice from a short list, inside a Field. */
export function CheckList({ options, error, value, onChange, disabled, empty }: CheckListProps) {
  const { id } = useFieldProps();
  const isLoading = !options && !error;
  return (
    <chakra.div
      role="group"
      aria-busy={isLoading}
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
      {isLoading && WIDTHS.map((width) => <Skeleton key={width} w={width} h="3" my="1" />)}
      {!options && error && (
        <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
          {error}
        </chakra.p>
      )}
      {options?.length === 0 && (
        <chakra.p textStyle="sm" color="fg.muted">
          {empty}
        </chakra.p>
      )}
      {options?.map((option) => (
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
