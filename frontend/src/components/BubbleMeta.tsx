import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

const style = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: '1',
  h: '4',
  textStyle: 'xs',
  fontVariantNumeric: 'tabular-nums',
  whiteSpace: 'nowrap',
} as const;

interface BubbleMetaProps {
  color: string;
  /**
   * Placed at the end of the last line, whose text ends with a `BubbleMetaSpace`; otherwise in the
   * normal flow.
   */
  inset?: boolean;
  children: ReactNode;
}

/** Time and ticks of a bubble. */
export function BubbleMeta({ color, inset = true, children }: BubbleMetaProps) {
  return (
    <chakra.span
      {...style}
      color={color}
      {...(inset && { position: 'absolute', insetEnd: '2.5', bottom: '1' })}
    >
      {children}
    </chakra.span>
  );
}

/** The space that time and ticks take, appended to a text as its last word. */
export function BubbleMetaSpace({ children }: { children: ReactNode }) {
  return (
    <chakra.span
      {...style}
      aria-hidden
      visibility="hidden"
      ms="2"
      verticalAlign="bottom"
      userSelect="none"
    >
      {children}
    </chakra.span>
  );
}
