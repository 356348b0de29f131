import { chakra } from '@chakra-ui/react';

/** The colour of a lane; the lane of tickets without one is grey. */
export function LaneDot({ color }: { color: string }) {
  return (
    <chakra.span
      aria-hidden
      w="2"
      h="2"
      flexShrink="0"
      borderRadius="2px"
      bg="fg.subtle"
      style={color ? { backgroundColor: color } : undefined}
    />
  );
}
