import { chakra } from '@chakra-ui/react';

interface BubbleTailProps {
  /** Outgoing messages have the tail on the right. */
  out: boolean;
  /** Tokens of the bubble it belongs to. */
  fill: string;
  line: string;
}

/** The tail of a message, at the top corner of the first bubble of its group. */
export function BubbleTail({ out, fill, line }: BubbleTailProps) {
  return (
    <chakra.svg
      aria-hidden
      viewBox="0 0 9 12"
      position="absolute"
      top="-1px"
      w="9px"
      h="12px"
      color={fill}
      {...(out ? { insetEnd: '-9px' } : { insetStart: '-9px', transform: 'scaleX(-1)' })}
    >
      <path d="M-1 0H7.4Q9 0 8 1.3L0 11.6H-1Z" fill="currentColor" />
      <chakra.path
        d="M-1 .5H7.4Q8.6 .5 7.9 1.5L0 11.4"
        fill="none"
        color={line}
        stroke="currentColor"
      />
    </chakra.svg>
  );
}
