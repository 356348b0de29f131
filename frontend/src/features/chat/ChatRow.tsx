import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Avatar } from '@/components/Avatar';
import { CountBadge } from '@/components/Badge';
import { formatLastMessageTime } from '@/lib/format';
import { plainText } from '@/lib/markup';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { unreadsOf } from './fold';
import { othersOf } from './people';
import type { Chat } from './types';

const Row = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    w: 'full',
    h: '16',
    px: '3',
    borderRadius: 'md',
    textAlign: 'start',
    _hover: { bg: 'bg.hover' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' },
    '&[aria-current=page]': { bg: 'brand.subtle' },
  },
});

interface ChatRowProps {
  chat: Chat;
  online: ReadonlySet<number>;
  isCurrent?: boolean;
  onOpen?: () => void;
}

/** A chat in a list: its members, last message and unread count. */
export function ChatRow({ chat, online, isCurrent = false, onOpen }: ChatRowProps) {
  const { t } = useTranslation('chat');
  const { id: userId } = useCurrentUser();
  const others = othersOf(chat, userId);
  const isGroup = others.length > 1;
  const name = others[0]?.user.name ?? chat.title;
  const unread = unreadsOf(chat, userId);
  const isOnline = others.some((member) => online.has(member.userId));
  const lastMessage = plainText(chat.lastMessage);
  return (
    <Row
      data-chat={chat.id}
      to={paths.chat(chat.uuid)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onOpen}
      // Screen readers announce only the row's own name.
      title={others.map(({ user }) => user.name).join(', ')}
    >
      <Avatar name={isGroup ? chat.title : name} group={isGroup} online={isOnline} />
      <chakra.span flex="1" minW="0">
        <chakra.span display="flex" alignItems="baseline" gap="2">
          <chakra.span flex="1" minW="0" textStyle="sm" fontWeight="semibold" truncate>
            {chat.title}
          </chakra.span>
          <chakra.time
            dateTime={chat.updatedAt}
            flexShrink="0"
            textStyle="xs"
            color="fg.muted"
            fontVariantNumeric="tabular-nums"
          >
            {formatLastMessageTime(chat.updatedAt)}
          </chakra.time>
        </chakra.span>
        <chakra.span display="flex" alignItems="center" gap="2" h="5">
          <chakra.span
            flex="1"
            minW="0"
            textStyle="sm"
            truncate
            {...(unread > 0
              ? { color: 'fg.default', fontWeight: 'medium' }
              : { color: 'fg.muted' })}
            {...(!lastMessage && { fontStyle: 'italic' })}
          >
            {lastMessage || t('list.empty')}
          </chakra.span>
          {unread > 0 && (
            <>
              <span aria-hidden>
                <CountBadge count={unread} most={99} tone="brand" />
              </span>
              <chakra.span srOnly>{t('list.unread', { count: unread })}</chakra.span>
            </>
          )}
        </chakra.span>
      </chakra.span>
      {isOnline && !isGroup && <chakra.span srOnly>{t('list.online')}</chakra.span>}
    </Row>
  );
}
