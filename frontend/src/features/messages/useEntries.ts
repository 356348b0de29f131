import { useMemo, useState } from 'react';
import type { Ticket } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';
import { entriesOf, firstUnreadId, type Unread } from './entries';
import { activitiesOf, messagesOf } from './fold';
import { useOutbox, type OutboxItem } from './outbox';
import type { useThread } from './useThread';

const NOTHING: OutboxItem[] = [];

/** The rows of a conversation, from what is loaded and what is still unsent. */
export function useEntries(ticket: Ticket, thread: ReturnType<typeof useThread>) {
  const user = useCurrentUser();
  const { query, hasNewer } = thread;
  const { data, hasNextPage, isFetchedAfterMount } = query;
  // As they were at opening: reading resets the count, the line stays until one answers.
  const [unread, setUnread] = useState<Unread | null>(
    ticket.unreadMessages > 0
      ? { count: ticket.unreadMessages, lastId: ticket.lastMessageId }
      : null,
  );
  const messages = useMemo(() => messagesOf(data), [data]);
  const activities = useMemo(() => activitiesOf(data), [data]);
  const outboxItems = useOutbox((outbox) => outbox.items);
  const outbox = useMemo(
    () =>
      outboxItems.filter(
        (item) =>
          item.ticketId === ticket.id &&
          item.userId === user.id &&
          item.state !== 'stored' &&
          // The end of the conversation, read meanwhile, may hold it before any answer.
          !messages.some(({ clientId }) => clientId === item.clientId),
      ),
    [outboxItems, messages, ticket.id, user.id],
  );
  // What is unsent stands after the newest message, and that is not loaded.
  const shownOutbox = hasNewer ? NOTHING : outbox;
  const entries = useMemo(() => {
    // The line's place is known with the messages that were unread, not with those of last time.
    const isKnown =
      isFetchedAfterMount || (messages.at(-1)?.id ?? 0) >= (unread?.lastId ?? Infinity);
    const known = unread && isKnown ? firstUnreadId(messages, unread) : null;
    const oldest = unread && isKnown && !hasNextPage ? messages[0]?.id : null;
    const firstId = hasNewer ? null : (known ?? oldest ?? null);
    return entriesOf({
      messages,
      activities,
      outbox: shownOutbox,
      unread: unread && firstId !== null ? { firstId, count: unread.count } : null,
      hasOlder: hasNextPage,
    });
  }, [messages, activities, shownOutbox, unread, hasNextPage, hasNewer, isFetchedAfterMount]);
  return { messages, entries, outbox, endUnread: () => setUnread(null) };
}
