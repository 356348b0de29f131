import { chakra } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextButton } from './TextButton';

/** A button that resolves the failure. */
export const FailureAction = chakra(TextButton, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    flexShrink: 0,
    minH: '6',
    _disabled: { opacity: 0.5, cursor: 'not-allowed' },
  },
});

/** Why a message was not sent, below its bubble. */
export function FailureLine({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <chakra.div
      role="status"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      // Without room beside the text, the action stands below its end.
      justifyContent="flex-end"
      columnGap="2.5"
      mt="1"
      maxW="full"
      textStyle="xs"
      color="status.danger.fg"
    >
      <chakra.span display="inline-flex" alignItems="center" gap="1.5" overflowWrap="anywhere">
        <chakra.span flexShrink="0" display="flex">
          <CircleAlert size={16} aria-hidden />
        </chakra.span>
        {words}
      </chakra.span>
      {children}
    </chakra.div>
  );
}
