import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { MessageCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorState } from '@/components/States';
import type { Ticket } from '@/features/tickets/api';
import { isNetworkError } from '@/lib/api/errors';
import type { CardActions } from './content/ContactCards';
import type { Entry } from './entries';
import { SearchedText } from './highlight';
import { MessageList } from './MessageList';
import type { RowHandlers } from './MessageRow';
import { ThreadSkeleton } from './ThreadSkeleton';
import type { Message } from './types';
import { useMessageActions } from './useMessageActions';
import type { useThread } from './useThread';

const ImageViewer = lazy(() =>
  import('./ImageViewer').then((module) => ({ default: module.ImageViewer })),
);

interface ThreadProps {
  ticket: Ticket;
  thread: ReturnType<typeof useThread>;
  entries: Entry[];
  messages: Message[];
  /** The search term, which is marked in the messages. */
  searched: string;
  isWriting: boolean;
  /** Templates may be sent, even if nothing else may. */
  canSendTemplates: boolean;
  /** Opens the templates with a text at hand. */
  onTemplates: (text: string) => void;
  readOnly: boolean;
  onReply: (message: Message) => void;
  onEdit?: ((message: Message) => void) | undefined;
  cards: CardActions;
}

/** The messages in every loading state, with the actions on each. */
export function Thread(props: ThreadProps) {
  const { ticket, thread, entries, messages, searched, isWriting, readOnly } = props;
  const { onReply, onEdit, cards, canSendTemplates, onTemplates } = props;
  const { t } = useTranslation('messages');
  const [mediaId, setMediaId] = useState<number | null>(null);
  const { query, part, target, jump, toNewest, hasNewer, arrivedCount } = thread;
  const { fetchNextPage, fetchPreviousPage, hasNextPage } = query;
  const actions = useMessageActions(ticket, { canWrite: isWriting, onReply, onEdit });

  const media = useMemo(
    () =>
      messages.filter(
        ({ mediaType, mediaUrl, isDeleted }) =>
          (mediaType === 'image' || mediaType === 'video') && mediaUrl && !isDeleted,
      ),
    [messages],
  );
  const { onMenu, onReact } = actions;
  const { onSaveContact, onStartTicket } = cards;
  const handlers = useMemo<RowHandlers>(
    () => ({
      ticketId: ticket.id,
      canWrite: isWriting,
      canSendTemplates,
      onTemplates: canSendTemplates ? onTemplates : undefined,
      isGroup: ticket.isGroup,
      onReply,
      onJump: (messageId) => void jump(`message-${messageId}`),
      onOpenMedia: setMediaId,
      onMenu: readOnly ? undefined : onMenu,
      onReact,
      onSaveContact,
      onStartTicket,
    }),
    [
      ticket.id,
      ticket.isGroup,
      isWriting,
      canSendTemplates,
      onTemplates,
      readOnly,
      onReply,
      jump,
      onMenu,
      onReact,
      onSaveContact,
      onStartTicket,
    ],
  );
  const onLoadOlder = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const onLoadNewer = useCallback(() => void fetchPreviousPage(), [fetchPreviousPage]);
  const onNewest = useCallback(() => void toNewest(), [toNewest]);

  if (!thread.isReady)
    return query.error && !query.data ? (
      <ErrorState
        title={t(isNetworkError(query.error) ? 'notHere' : 'loadFailed')}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <ThreadSkeleton />
    );
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<MessageCircle size={20} />}
        title={t('empty')}
        text={isWriting ? t('emptyHint') : undefined}
      />
    );
  return (
    <>
      <SearchedText value={searched}>
        <MessageList
          // Another loaded part is another list, which opens at its own target.
          key={part}
          label={t('thread', { name: ticket.contact.name })}
          entries={entries}
          handlers={handlers}
          target={target}
          hasOlder={hasNextPage}
          loadingOlder={query.isFetchingNextPage}
          olderFailed={query.isFetchNextPageError && !query.isFetchingNextPage}
          onLoadOlder={onLoadOlder}
          hasNewer={hasNewer}
          loadingNewer={query.isFetchingPreviousPage}
          newerFailed={query.isFetchPreviousPageError && !query.isFetchingPreviousPage}
          onLoadNewer={onLoadNewer}
          onNewest={onNewest}
          arrivedCount={arrivedCount}
        />
      </SearchedText>
      {actions.element}
      {mediaId !== null && (
        <Suspense fallback={null}>
          <ImageViewer
            images={media}
            currentId={mediaId}
            onChange={setMediaId}
            onClose={() => setMediaId(null)}
          />
        </Suspense>
      )}
    </>
  );
}
