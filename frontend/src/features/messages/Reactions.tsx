import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { touch } from '@/theme/screens';
import type { Message } from './types';

interface ReactionsProps {
  message: Message;
  /** Omitted if the user may not react. */
  onReact?: ((message: Message, emoji: string) => void) | undefined;
}

/** The reactions to a message; a press adds the same reaction, or removes the company's own. */
export function Reactions({ message, onReact }: ReactionsProps) {
  const { t } = useTranslation('messages');
  const counts = new Map<string, { names: string[]; mine: boolean }>();
  for (const { emoji, fromMe, name } of message.reactions) {
    const { names, mine } = counts.get(emoji) ?? { names: [], mine: false };
    counts.set(emoji, {
      names: [...names, name || (fromMe ? t('us') : '')],
      mine: mine || fromMe,
    });
  }
  return (
    <chakra.ul
      aria-label={t('reactions')}
      display="flex"
      flexWrap="wrap"
      gap="1"
      mt="-1.5"
      mx="2"
      position="relative"
      listStyleType="none"
    >
      {[...counts].map(([emoji, { names, mine }]) => {
        const who = names.filter(Boolean).join(', ');
        return (
          <li key={emoji}>
            <chakra.button
              type="button"
              title={who}
              aria-pressed={mine}
              disabled={!onReact}
              onClick={() => onReact?.(message, mine ? '' : emoji)}
              css={{ [touch]: { h: '11', minW: '11', justifyContent: 'center' } }}
              px="1.5"
              h="6"
              display="inline-flex"
              alignItems="center"
              gap="1"
              borderRadius="full"
              borderWidth="1px"
              borderColor={mine ? 'brand.border' : 'border.subtle'}
              bg={mine ? 'brand.subtle' : 'bg.raised'}
              textStyle="xs"
              fontVariantNumeric="tabular-nums"
              cursor="pointer"
              _disabled={{ cursor: 'default' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            >
              <chakra.span textStyle="md">{emoji}</chakra.span>
              {names.length > 1 && names.length}
              <chakra.span srOnly> {t('conversation:reactionFrom', { names: who })}</chakra.span>
            </chakra.button>
          </li>
        );
      })}
    </chakra.ul>
  );
}
