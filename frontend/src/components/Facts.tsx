import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface FactsProps {
  facts: readonly { term: string; value: ReactNode }[];
  label?: string;
  /** Each value beside its term, one line a fact, instead of below it, side by side. */
  beside?: boolean;
}

/** Terms with their values, as a definition list. */
export function Facts({ facts, label, beside = false }: FactsProps) {
  return (
    <chakra.dl
      {...(label && { 'aria-label': label })}
      display="grid"
      rowGap="3"
      columnGap={beside ? '6' : '4'}
      gridTemplateColumns={
        beside
          ? 'auto minmax(0, 1fr)'
          : {
              // None stands alone in its line.
              base: `repeat(${facts.length % 2 === 0 ? 2 : 3}, minmax(0, 1fr))`,
              md: 'repeat(auto-fit, minmax(140px, 1fr))',
            }
      }
      textStyle="sm"
    >
      {facts.map(({ term, value }) => (
        <chakra.div key={term} minW="0" display={beside ? 'contents' : 'block'}>
          <chakra.dt color="fg.muted">{term}</chakra.dt>
          <chakra.dd
            fontWeight={beside ? 'normal' : 'medium'}
            fontVariantNumeric="tabular-nums"
            overflowWrap="anywhere"
          >
            {value}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}
