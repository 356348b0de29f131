import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { BubbleTail } from './BubbleTail';

interface BubbleProps {
  out: boolean;
  /** The first bubble of its group has the tail. */
  first: boolean;
  failed: boolean;
  /** Media reach nearly to the edge. */
  tight?: boolean;
  /** Without a frame: stickers and big emoji. */
  bare?: boolean;
  children: ReactNode;
}

/** The frame of a message. */
export function Bubble({ out, first, failed, tight = false, bare = false, children }: BubbleProps) {
  if (bare) return <chakra.div position="relative">{children}</chakra.div>;
  const colour = failed ? 'status.danger.subtle' : out ? 'bubble.out' : 'bubble.in';
  const line = failed ? 'status.danger.border' : out ? 'bubble.out.border' : 'bubble.in.border';
  return (
    <chakra.div
      position="relative"
      minW="0"
      maxW="full"
      px={tight ? '1' : '3'}
      py={tight ? '1' : '1.5'}
      bg={colour}
      borderWidth="1px"
      borderColor={line}
      borderRadius="lg"
      {...(out
        ? { borderEndEndRadius: 'xs', borderStartEndRadius: first ? '0' : 'xs' }
        : { borderEndStartRadius: 'xs', borderStartStartRadius: first ? '0' : 'xs' })}
    >
      {first && <BubbleTail out={out} fill={colour} line={line} />}
      {children}
    </chakra.div>
  );
}
