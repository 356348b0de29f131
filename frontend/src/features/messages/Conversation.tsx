import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageCircle, Upload } from 'lucide-react';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type DragEvent,
} from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorState } from '@/components/States';
import { useTicketAction, type Ticket, type TicketAction } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';
import { messagesQuery, type Message } from './api';
import { Composer, type ComposerHandle } from './Composer';
import { keptReply, useComposition } from './composer/useComposition';
import { ComposerNotice, Hints } from './ComposerNotice';
import { ConversationHeader, type HeaderTools } from './ConversationHeader';
import { entriesOf, firstUnreadId, type Unread } from './entries';
import { useConversationEvents, useReading } from './events';
import { eventsOf, messagesOf } from './fold';
import { useSummary } from './kinds';
import { MessageList } from './MessageList';
import { useOutbox } from './outbox';
import { composerMode, mayWrite } from './rules';
import { ThreadSkeleton } from './ThreadSkeleton';

const ImageViewer = lazy(() =>
  import('./ImageViewer').then((module) => ({ default: module.ImageViewer })),
);

const MINUTE_MS = 60_000;

interface ConversationProps {
  ticket: Ticket;
  /** Leads back to the list, where the list is not beside it. */
  onBack?: () => void;
  onOpenContact?: () => void;
  /** What the page offers in the head: options, tags, the contact drawer. */
  tools?: HeaderTools;
  /** After an action of the header or the composer's place succeeded. */
  onActed?: (ticket: Ticket, action: TicketAction) => void;
  /** The user's own ticket with the contact stands in the way of reopening this one. */
  onOwnOther?: (other: Ticket) => void;
  /** A look at it: nothing to press, nothing to write, nothing marked as read. */
  readOnly?: boolean;
}

/** A ticket's whole pane: who it is with, what was said, where to answer. */
export function Conversation(props: ConversationProps) {
  // Another ticket is another conversation: nothing of the former may linger.
  return <Pane key={props.ticket.id} {...props} />;
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Files dropped anywhere over the pane. */
function useDrop(enabled: boolean, onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0);
  const carriesFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files');
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (carriesFiles(event)) setDepth((before) => before + 1);
      },
      onDragLeave: (event: DragEvent) => {
        if (carriesFiles(event)) setDepth((before) => Math.max(0, before - 1));
      },
      onDragOver: (event: DragEvent) => {
        if (carriesFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

const latest = (times: (string | null | undefined)[]): number | null =>
  Math.max(0, ...times.map((time) => (time ? Date.parse(time) : 0))) || null;

function Pane(props: ConversationProps) {
  const { ticket, onBack, onOpenContact, onActed, tools, readOnly = false } = props;
  const { t } = useTranslation('messages');
  const user = useCurrentUser();
  const now = useNow();
  const summaryOf = useSummary();
  const composer = useRef<ComposerHandle>(null);
  const query = useInfiniteQuery(messagesQuery(ticket.id));
  const composing = useComposition(ticket.id);
  const [replyTo, setReplyTo] = useState<Message | null>(() => keptReply(user.id, ticket.id));
  const [imageId, setImageId] = useState<number | null>(null);
  const [announced, setAnnounced] = useState('');
  // As they were at opening: reading resets the count, the line stays until one answers.
  const [unread, setUnread] = useState<Unread | null>(
    ticket.unreadMessages > 0
      ? { count: ticket.unreadMessages, lastId: ticket.lastMessageId }
      : null,
  );

  const { data, fetchNextPage } = query;
  const messages = useMemo(() => messagesOf(data), [data]);
  const events = useMemo(() => eventsOf(data), [data]);
  const outboxItems = useOutbox((outbox) => outbox.items);
  const outbox = useMemo(
    () =>
      outboxItems.filter(
        (item) => item.ticketId === ticket.id && item.userId === user.id && item.state !== 'stored',
      ),
    [outboxItems, ticket.id, user.id],
  );

  const { hasNextPage, isFetchedAfterMount } = query;
  const entries = useMemo(() => {
    // The line's place is known with the messages that were unread, not with those of last time.
    const known = unread && isFetchedAfterMount ? firstUnreadId(messages, unread) : null;
    const oldest = unread && isFetchedAfterMount && !hasNextPage ? messages[0]?.id : null;
    const firstId = known ?? oldest ?? null;
    return entriesOf({
      messages,
      events,
      outbox,
      unread: unread && firstId !== null ? { firstId, count: unread.count } : null,
      hasOlder: hasNextPage,
    });
  }, [messages, events, outbox, unread, hasNextPage, isFetchedAfterMount]);

  useConversationEvents(ticket, (message) =>
    setAnnounced(
      t('announced', {
        name: (message.participant ?? message.contact).name,
        text: summaryOf(message),
      }),
    ),
  );
  useReading(ticket.id, !readOnly && ticket.userId === user.id, messages.at(-1));

  const focus = () => composer.current?.focus();
  const { mutate, isPending, variables } = useTicketAction(props.onOwnOther);
  const busy = isPending ? variables.action : null;
  const run = (action: TicketAction) =>
    mutate(
      { ticket, action },
      {
        onSuccess: (changed) => {
          onActed?.(changed, action);
          focus();
        },
      },
    );
  const canWrite = mayWrite(ticket, user);
  const refused = outbox.filter(({ code }) => code === 'ERR_OUTSIDE_24H_WINDOW');
  const lastInbound = messages.findLast(
    ({ fromMe, ticketId }) => !fromMe && ticketId === ticket.id,
  );
  const mode = composerMode(ticket, user, {
    provider: ticket.whatsapp?.provider,
    lastInboundAt: latest([ticket.lastInboundAt, lastInbound?.createdAt]),
    refusedAt: latest(refused.map(({ createdAt }) => createdAt)),
    now,
  });
  const isWriting = !readOnly && mode.kind === 'write';
  const drop = useDrop(isWriting, (dropped) => {
    composing.add(dropped);
    focus();
  });

  const images = useMemo(
    () =>
      messages.filter(
        ({ mediaType, mediaUrl, isDeleted }) => mediaType === 'image' && mediaUrl && !isDeleted,
      ),
    [messages],
  );
  const shownIds = useMemo(
    () => new Set(entries.map((entry) => (entry.kind === 'message' ? entry.message.id : 0))),
    [entries],
  );
  const onLoadOlder = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const endReply = useCallback(() => setReplyTo(null), []);

  return (
    <chakra.section
      aria-label={t('conversationWith', { name: ticket.contact.name })}
      position="relative"
      display="flex"
      flexDirection="column"
      flex="1"
      minW="0"
      minH="0"
      h="full"
      bg="bg.thread"
      {...drop.handlers}
    >
      <ConversationHeader
        ticket={ticket}
        busy={busy}
        onAction={readOnly ? undefined : run}
        onBack={onBack}
        onOpenContact={onOpenContact}
        tools={tools}
      />
      <chakra.div srOnly aria-live="polite">
        {announced}
      </chakra.div>
      {!data && query.error ? (
        <ErrorState
          title={t('loadFailed')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : !data ? (
        <ThreadSkeleton />
      ) : entries.length === 0 ? (
        <EmptyState
          icon={<MessageCircle size={20} />}
          title={t('empty')}
          text={isWriting ? t('emptyHint') : undefined}
        />
      ) : (
        <MessageList
          label={t('thread', { name: ticket.contact.name })}
          entries={entries}
          hasOlder={hasNextPage && !query.isFetchNextPageError}
          loadingOlder={query.isFetchingNextPage}
          onLoadOlder={onLoadOlder}
          handlers={{
            ticketId: ticket.id,
            canWrite: isWriting,
            isGroup: ticket.isGroup,
            isLoaded: (id) => shownIds.has(id),
            onReply: setReplyTo,
            onOpenImage: setImageId,
          }}
        />
      )}
      {!readOnly && (
        <chakra.div flexShrink="0" px={{ base: '2', sm: '4' }} pt="2" pb={{ base: '2', sm: '3' }}>
          {mode.kind === 'write' ? (
            <>
              <Hints
                minutesLeft={mode.minutesLeft}
                disconnected={
                  ticket.whatsapp && ticket.whatsapp.status !== 'CONNECTED'
                    ? ticket.whatsapp.name
                    : null
                }
              />
              <Composer
                ref={composer}
                ticket={ticket}
                composing={composing}
                replyTo={canWrite ? replyTo : null}
                onReplyEnd={endReply}
                onSent={() => setUnread(null)}
              />
            </>
          ) : (
            <ComposerNotice
              kind={mode.kind}
              ticket={ticket}
              busy={busy === mode.kind}
              onAction={run}
            />
          )}
        </chakra.div>
      )}
      {drop.isOver && (
        <chakra.div
          aria-hidden
          position="absolute"
          inset="2"
          zIndex="docked"
          display="flex"
          flexDirection="column"
          alignItems="center"
          justifyContent="center"
          gap="3"
          borderRadius="lg"
          border="2px dashed"
          borderColor="brand.fg"
          bg="bg.surface/92"
          color="brand.fg"
          textStyle="lg"
          fontWeight="semibold"
          pointerEvents="none"
        >
          <Upload size={20} />
          {t('composer.drop')}
        </chakra.div>
      )}
      {imageId !== null && (
        <Suspense fallback={null}>
          <ImageViewer
            images={images}
            currentId={imageId}
            onChange={setImageId}
            onClose={() => setImageId(null)}
          />
        </Suspense>
      )}
    </chakra.section>
  );
}
