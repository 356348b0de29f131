import { chakra } from '@chakra-ui/react';
import { MessageCircle, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListEnd, type Pages } from '@/components/ListEnd';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { ChatRow } from './ChatRow';
import { useOnline } from './people';
import type { Chat } from './types';

interface ChatRowsProps {
  chats: Chat[] | undefined;
  query: Pages & {
    error: unknown;
    refetch: () => Promise<unknown>;
  };
  isSearched?: boolean;
  currentUuid?: string | undefined;
  onOpen?: () => void;
  /** The action offered if there are no chats. */
  action: ReactNode;
  maxH?: string;
}

/** A list of chats in every loading state. */
export function ChatRows(props: ChatRowsProps) {
  const { chats, query, isSearched = false, currentUuid, onOpen, action, maxH } = props;
  const { t } = useTranslation('chat');
  const online = useOnline();
  if (!chats) {
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <SkeletonRows rows={4} />
    );
  }
  if (chats.length === 0) {
    return isSearched ? (
      <EmptyState
        icon={<SearchX size={20} />}
        title={t('list.notFound')}
        text={t('list.notFoundText')}
      />
    ) : (
      <EmptyState
        icon={<MessageCircle size={20} />}
        title={t('list.none')}
        text={t('list.noneText')}
        action={action}
      />
    );
  }
  return (
    <chakra.div flex="1" minH="0" overflowY="auto" tabIndex={-1} {...(maxH && { maxH })}>
      <chakra.ul aria-label={t('list.label')} listStyleType="none" p="2">
        {chats.map((chat) => (
          <li key={chat.id}>
            <ChatRow
              chat={chat}
              online={online}
              isCurrent={chat.uuid === currentUuid}
              {...(onOpen && { onOpen })}
            />
          </li>
        ))}
      </chakra.ul>
      <ListEnd pages={query} />
    </chakra.div>
  );
}
