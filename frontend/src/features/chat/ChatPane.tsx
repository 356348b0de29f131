import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircle, MessageCircleOff, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DropHint, useDrop } from '@/components/DropZone';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { ApiError } from '@/lib/api/errors';
import { useCurrentUser } from '@/stores/session';
import { chatMessagesQuery, chatQuery, readChat } from './api';
import { ChatComposer } from './ChatComposer';
import { ChatHeader } from './ChatHeader';
import { ChatThread } from './ChatThread';
import { entriesOf, type Unread } from './entries';
import { storeChat } from './events';
import { messagesOf, unreadsOf } from './fold';
import { useChatOutbox } from './outbox';
import type { Chat } from './types';
import { useFiles } from './useFiles';

interface ChatPaneProps {
  uuid: string | undefined;
  /** The user has no chats. */
  isEmpty: boolean;
  onNew: () => void;
  /** The chat is gone: show the list. */
  onLeft: () => void;
}

/** The chosen chat, or a placeholder with the next step. */
export function ChatPane({ uuid, isEmpty, onNew, onLeft }: ChatPaneProps) {
  const { t } = useTranslation('chat');
  const found = useQuery({ ...chatQuery(uuid ?? ''), enabled: uuid !== undefined });
  const isGone = found.error instanceof ApiError && found.error.status === 404;
  return (
    <chakra.section
      aria-label={found.data && !isGone ? found.data.title : t('tabs.messages')}
      position="relative"
      flex="1"
      minH="0"
      minW="0"
      display="flex"
      flexDirection="column"
    >
      {isGone ? (
        <EmptyState
          icon={<MessageCircleOff size={20} />}
          title={t('pane.gone')}
          text={t('pane.goneText')}
          action={
            <Button variant="outline" onClick={onLeft}>
              {t('pane.toList')}
            </Button>
          }
        />
      ) : found.data ? (
        <OpenChat chat={found.data} onLeft={onLeft} />
      ) : found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : uuid ? (
        <SkeletonRows />
      ) : (
        <EmptyState
          icon={<MessageCircle size={20} />}
          title={t(isEmpty ? 'list.none' : 'pane.choose')}
          text={t(isEmpty ? 'list.noneText' : 'pane.chooseText')}
          action={
            <Button variant="outline" icon={<Plus size={16} aria-hidden />} onClick={onNew}>
              {t('list.new')}
            </Button>
          }
        />
      )}
    </chakra.section>
  );
}

/** Marks the chat as read while it is visible, also when the window becomes visible again. */
function useReading(chat: Chat, newestId: number | undefined) {
  const client = useQueryClient();
  const { id: userId } = useCurrentUser();
  const unread = unreadsOf(chat, userId);
  const { id } = chat;
  useEffect(() => {
    if (unread === 0 || newestId === undefined) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', read);
      readChat(id, userId).then(
        (now) => storeChat(client, now, userId),
        // The next message or the next opening reports it again.
        () => undefined,
      );
    };
    document.addEventListener('visibilitychange', read);
    read();
    return () => document.removeEventListener('visibilitychange', read);
  }, [client, id, userId, unread, newestId]);
}

function OpenChat({ chat, onLeft }: { chat: Chat; onLeft: () => void }) {
  const { t } = useTranslation('chat');
  const { id: userId } = useCurrentUser();
  const loaded = useInfiniteQuery(chatMessagesQuery(chat.id));
  const outbox = useChatOutbox(({ items }) => items);
  const files = useFiles();
  const drop = useDrop(true, files.add);
  const messages = loaded.data && messagesOf(loaded.data);
  const newestId = messages?.at(-1)?.id;
  // The unread messages at opening: the separator stays in its place.
  const [unread, setUnread] = useState<Unread | null>(null);
  if (messages && !unread)
    setUnread({ count: unreadsOf(chat, userId), newestId: messages.at(-1)?.id ?? 0 });
  useReading(chat, newestId);
  const own = outbox.filter((item) => item.chatId === chat.id && item.userId === userId);
  const entries = entriesOf(messages ?? [], own, unread);

  return (
    <chakra.div
      position="relative"
      flex="1"
      minH="0"
      display="flex"
      flexDirection="column"
      {...drop.handlers}
    >
      <ChatHeader chat={chat} onLeft={onLeft} />
      <chakra.div flex="1" minH="0" display="flex" flexDirection="column" bg="bg.thread">
        {!messages ? (
          loaded.error ? (
            <ErrorState error={loaded.error} onRetry={() => void loaded.refetch()} />
          ) : (
            <SkeletonRows />
          )
        ) : entries.length === 0 ? (
          <EmptyState
            icon={<MessageCircle size={20} />}
            title={t('pane.first')}
            text={t('pane.firstText')}
          />
        ) : (
          <ChatThread
            label={t('pane.messages', { title: chat.title })}
            entries={entries}
            showsNames={chat.users.length > 2}
            hasOlder={loaded.hasNextPage}
            loadingOlder={loaded.isFetchingNextPage}
            olderFailed={loaded.isFetchNextPageError && !loaded.isFetchingNextPage}
            onLoadOlder={() => void loaded.fetchNextPage()}
          />
        )}
      </chakra.div>
      <ChatComposer key={chat.id} chatId={chat.id} files={files} />
      {drop.isOver && <DropHint />}
    </chakra.div>
  );
}
