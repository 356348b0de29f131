import { chakra } from '@chakra-ui/react';
import { Check } from 'lucide-react';

interface StepsProps {
  label: string;
  steps: readonly string[];
  /** The index of the current step, from 0. */
  present: number;
}

/** The progress of a dialog with several steps. */
export function Steps({ label, steps, present }: StepsProps) {
  return (
    <chakra.ol
      aria-label={label}
      display="flex"
      gap={{ base: '3', sm: '6' }}
      listStyleType="none"
      flexWrap="wrap"
    >
      {steps.map((step, index) => (
        <chakra.li
          key={step}
          aria-current={index === present ? 'step' : undefined}
          display="flex"
          alignItems="center"
          gap="2"
          textStyle="sm"
          fontWeight={index === present ? 'semibold' : 'normal'}
          color={index === present ? 'fg.default' : 'fg.muted'}
        >
          <chakra.span
            aria-hidden
            display="inline-flex"
            alignItems="center"
            justifyContent="center"
            w="6"
            h="6"
            borderRadius="full"
            textStyle="xs"
            fontWeight="semibold"
            bg={index === present ? 'brand.subtle' : 'bg.subtle'}
            color={index === present ? 'brand.fg' : 'fg.muted'}
          >
            {index < present ? <Check size={14} /> : index + 1}
          </chakra.span>
          {step}
        </chakra.li>
      ))}
    </chakra.ol>
  );
}
