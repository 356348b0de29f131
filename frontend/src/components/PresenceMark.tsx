import { chakra } from '@chakra-ui/react';

const COLOURS = {
  online: 'status.live.solid',
  paused: 'status.waiting.solid',
  offline: 'fg.subtle',
} as const;

interface PresenceMarkProps {
  presence: keyof typeof COLOURS;
  /** The presence in words: the colour alone tells nothing. */
  label: string;
  /** Also shows the words, not only to screen readers. */
  words?: boolean;
}

/** How somebody is present: full, half or empty dot, and the words. */
export function PresenceMark({ presence, label, words = false }: PresenceMarkProps) {
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5" minW="0" title={label}>
      <chakra.span
        aria-hidden
        flexShrink="0"
        w="2.5"
        h="2.5"
        borderRadius="full"
        borderWidth="2px"
        borderColor={COLOURS[presence]}
        {...(presence === 'online' && { bg: COLOURS.online })}
        {...(presence === 'paused' && {
          css: {
            background:
              'linear-gradient(90deg, {colors.status.waiting.solid} 50%, transparent 50%)',
          },
        })}
      />
      <chakra.span
        {...(words ? { textStyle: 'xs', color: 'fg.muted', truncate: true } : { srOnly: true })}
      >
        {label}
      </chakra.span>
    </chakra.span>
  );
}
