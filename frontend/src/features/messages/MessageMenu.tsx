import { chakra, Menu as Chakra } from '@chakra-ui/react';
import {
  Copy,
  Download,
  Forward,
  Info,
  Pencil,
  Plus,
  Reply,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Portal } from '@/components/Portal';
import { touch } from '@/theme/screens';
import type { MenuAnchor } from './MessageRow';
import type { Message } from './types';

/** The most frequent reactions. */
const QUICK_EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

export const MENU_ENTRIES = [
  { id: 'reply', Icon: Reply },
  { id: 'forward', Icon: Forward },
  { id: 'copy', Icon: Copy },
  { id: 'download', Icon: Download },
  { id: 'edit', Icon: Pencil },
  { id: 'details', Icon: Info },
  { id: 'remove', Icon: Trash2 },
] as const satisfies { id: string; Icon: LucideIcon }[];

export type MenuChoice = (typeof MENU_ENTRIES)[number]['id'];

interface MessageMenuProps {
  message: Message;
  anchor: MenuAnchor;
  choices: ReadonlySet<MenuChoice>;
  canReact: boolean;
  onChoose: (choice: MenuChoice) => void;
  onReact: (emoji: string) => void;
  onMoreEmojis: () => void;
  onClose: () => void;
}

const REACT = 'react:';

/** Seven buttons of finger size are wider than the narrowest phone. */
const GIVES_WAY = { [touch]: { w: '11', minW: '0' } } as const;

/** The menu of one message, at the position where it was requested. */
export function MessageMenu(props: MessageMenuProps) {
  const { message, anchor, choices, canReact, onChoose, onReact, onMoreEmojis, onClose } = props;
  const { t } = useTranslation('conversation');
  const labelId = useId();
  const mine = message.reactions.find(({ fromMe }) => fromMe)?.emoji;
  const entries = MENU_ENTRIES.filter(({ id }) => choices.has(id));
  // After a resize the position may belong to another message or lie outside the window.
  useEffect(() => {
    window.addEventListener('resize', onClose);
    return () => window.removeEventListener('resize', onClose);
  }, [onClose]);
  const select = (value: string) => {
    if (value === 'more') onMoreEmojis();
    else if (value.startsWith(REACT)) {
      const emoji = value.slice(REACT.length);
      onReact(emoji === mine ? '' : emoji);
    } else onChoose(value as MenuChoice);
  };
  return (
    <Chakra.Root
      open
      onOpenChange={({ open }) => !open && onClose()}
      onSelect={({ value }) => select(value)}
      // The menu has no trigger button: the label takes its id.
      ids={{ trigger: labelId }}
      positioning={{ placement: 'bottom-end', getAnchorRect: () => anchor }}
    >
      <chakra.span id={labelId} srOnly>
        {t('menu.label')}
      </chakra.span>
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content minW="200px" maxW="calc(100vw - 1rem)">
            {canReact && (
              <Chakra.ItemGroup display="flex" gap="0.5" aria-label={t('menu.react')}>
                {QUICK_EMOJIS.map((emoji) => (
                  <Chakra.Item
                    key={emoji}
                    value={`${REACT}${emoji}`}
                    aria-label={t(emoji === mine ? 'menu.takeBack' : 'menu.reactWith', { emoji })}
                    p="0"
                    w="9"
                    h="9"
                    css={GIVES_WAY}
                    justifyContent="center"
                    fontSize="20px"
                    {...(emoji === mine && { bg: 'brand.subtle' })}
                  >
                    {emoji}
                  </Chakra.Item>
                ))}
                <Chakra.Item
                  value="more"
                  aria-label={t('menu.moreEmojis')}
                  p="0"
                  w="9"
                  h="9"
                  css={GIVES_WAY}
                  justifyContent="center"
                  color="fg.muted"
                >
                  <Plus size={20} />
                </Chakra.Item>
              </Chakra.ItemGroup>
            )}
            {canReact && <Chakra.Separator />}
            {entries.map(({ id, Icon }) => (
              <Chakra.Item
                key={id}
                value={id}
                {...(id === 'remove' && { color: 'status.danger.fg' })}
              >
                <Icon size={16} />
                <Chakra.ItemText>{t(`menu.${id}`)}</Chakra.ItemText>
              </Chakra.Item>
            ))}
          </Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
