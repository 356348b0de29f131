import { chakra } from '@chakra-ui/react';
import { Fragment, type ReactNode } from 'react';

interface SentenceProps<Part extends string> {
  parts: readonly Part[];
  slots: Record<Part, () => ReactNode>;
}

/** The parts of a sentence, one after another as words are. */
export function Sentence<Part extends string>({ parts, slots }: SentenceProps<Part>) {
  return (
    <chakra.span flex="1" minW="0" lineHeight="1.9">
      {parts.map((part) => (
        <Fragment key={part}>{slots[part]()} </Fragment>
      ))}
    </chakra.span>
  );
}
