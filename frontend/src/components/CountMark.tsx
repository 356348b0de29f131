import { chakra } from '@chakra-ui/react';
import { formatCount } from '@/lib/format';

const MOST_TOLD = 9;

/** A count of new items at the corner of a button, whose label also says it. */
export function CountMark({ count }: { count: number }) {
  return (
    <chakra.span
      aria-hidden
      position="absolute"
      top="0.5"
      insetEnd="0.5"
      minW="4"
      h="4"
      px="1"
      borderRadius="full"
      bg="status.danger.solid"
      color="status.danger.on"
      textStyle="xs"
      lineHeight="16px"
      fontWeight="semibold"
      textAlign="center"
      pointerEvents="none"
    >
      {count > MOST_TOLD ? `${MOST_TOLD}+` : formatCount(count)}
    </chakra.span>
  );
}
