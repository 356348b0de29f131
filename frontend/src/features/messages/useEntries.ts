import { useMemo, useState } from 'react';
import type { Ticket } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';
import { entriesOf, firstUnreadId, type Unread } from './entries';
import { activitiesOf, messagesOf } from './fold';
import { useOutbox, type OutboxItem } from './outbox';
import type { useThread } from './useThread';

const NOTHING: OutboxItem[] = [];

/** The rows of a conversation, from the loaded and the unsent messages. */
export function useEntries(ticket: Ticket, thread: ReturnType<typeof useThread>) {
  const user = useCurrentUser();
  const { query, hasNewer } = thread;
  const { data, hasNextPage } = query;
  // The unread messages at opening: reading resets the count, but the separator stays until the
  // user answers.
  const [unread, setUnread] = useState<Unread | null>(
    ticket.unreadMessages > 0
      ? { count: ticket.unreadMessages, lastId: ticket.lastMessageId }
      : null,
  );
  // Read only where it decides: a query renders again for what is read of it.
  const isFetchedAfterMount = unread !== null && query.isFetchedAfterMount;
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
          // A page fetched meanwhile may contain the message before the sending call is answered.
          !messages.some(({ clientId }) => clientId === item.clientId),
      ),
    [outboxItems, messages, ticket.id, user.id],
  );
  // Unsent messages belong after the newest message, which is not loaded.
  const shownOutbox = hasNewer ? NOTHING : outbox;
  const entries = useMemo(() => {
    // The separator's place is known only after the unread messages are loaded, not from an older
    // cache.
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
