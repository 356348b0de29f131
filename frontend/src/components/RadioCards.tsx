import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { focusVisible } from '@/theme/recipes/controls';

interface Choice {
  value: string;
  label: string;
  /** At the end of the label's line, e.g. a price. */
  aside?: string;
  help: string;
  preview?: ReactNode;
}

interface ChoicesProps {
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  labelledBy: string;
  describedBy: string;
  name: string;
  /** The maximum number of cards side by side; by default all. */
  most?: number;
}

/** A single choice among a few options that need text or pictures, as cards. */
export function RadioCards({
  choices,
  value,
  onChange,
  labelledBy,
  describedBy,
  name,
  most = choices.length,
}: ChoicesProps) {
  return (
    <chakra.div
      role="radiogroup"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      display="grid"
      gridTemplateColumns={{ base: '1fr', sm: `repeat(${Math.min(most, choices.length)}, 1fr)` }}
      gap="2.5"
    >
      {choices.map((choice) => (
        <Card
          key={choice.value}
          choice={choice}
          name={name}
          checked={choice.value === value}
          onChoose={() => onChange(choice.value)}
        />
      ))}
    </chakra.div>
  );
}

interface CardProps {
  choice: Choice;
  name: string;
  checked: boolean;
  onChoose: () => void;
}

function Card({ choice, name, checked, onChoose }: CardProps) {
  return (
    <chakra.label
      display="flex"
      flexDirection="column"
      gap="2.5"
      p="3"
      borderWidth="1px"
      borderRadius="md"
      borderColor={checked ? 'brand.fg' : 'border.strong'}
      bg={checked ? 'brand.subtle' : 'bg.surface'}
      cursor="pointer"
      transition="background-color, border-color"
      transitionDuration="fast"
      _hover={checked ? {} : { bg: 'bg.hover' }}
      css={{ '&:has(input:focus-visible)': focusVisible }}
    >
      <chakra.span display="flex" alignItems="flex-start" gap="2.5">
        <chakra.input
          type="radio"
          name={name}
          value={choice.value}
          checked={checked}
          onChange={onChoose}
          flexShrink="0"
          w="4"
          h="4"
          mt="0.5"
          accentColor="brand.fg"
          outline="none"
          cursor="pointer"
        />
        <chakra.span minW="0" flex="1">
          <chakra.span
            display="flex"
            flexWrap="wrap"
            justifyContent="space-between"
            columnGap="3"
            textStyle="sm"
            fontWeight="semibold"
          >
            <chakra.span minW="0" overflowWrap="anywhere">
              {choice.label}
            </chakra.span>
            {choice.aside && (
              <chakra.span fontVariantNumeric="tabular-nums">{choice.aside}</chakra.span>
            )}
          </chakra.span>
          <chakra.span
            display="block"
            textStyle="xs"
            color="fg.muted"
            mt="0.5"
            _firstLetter={{ textTransform: 'uppercase' }}
          >
            {choice.help}
          </chakra.span>
        </chakra.span>
      </chakra.span>
      {choice.preview && <chakra.span mt="auto">{choice.preview}</chakra.span>}
    </chakra.label>
  );
}
