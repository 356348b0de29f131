import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { Activity, memo, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { ticketQuery, type Ticket } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';
import { messagesKey } from './api';
import { Conversation, type ConversationProps } from './Conversation';
import { readDraft } from './drafts';
import type { RowKey } from './entries';

/**
 * The number of conversations that are kept rendered beside the one shown; each has some hundred
 * rows.
 */
const MOST_READY = 9;

interface ConversationsProps {
  /** The ticket whose conversation is shown. */
  ticket: Ticket;
  focusKey: RowKey | undefined;
  /** The page's props for a conversation. The same function as long as it returns the same. */
  propsOf: (ticket: Ticket) => Omit<ConversationProps, 'ticket' | 'focusKey'>;
}

/**
 * Renders the open conversation and, hidden, those that were left last. A conversation that is left
 * is unmounted with its state; when the browser is idle it is rendered again, hidden, as it will
 * open, so that going back only has to show it. A hidden conversation is inactive: it handles no
 * events, fetches nothing, joins no room and marks nothing as read.
 */
export function Conversations({ ticket, focusKey, propsOf }: ConversationsProps) {
  const [recent, setRecent] = useState([ticket.uuid]);
  if (recent.at(-1) !== ticket.uuid)
    setRecent((before) =>
      [...before.filter((uuid) => uuid !== ticket.uuid), ticket.uuid].slice(-1 - MOST_READY),
    );
  // In a fixed order, so that no element moves in the DOM when another one is shown.
  return [...recent]
    .sort()
    .map((uuid) => (
      <Ready
        key={uuid}
        uuid={uuid}
        shown={uuid === ticket.uuid ? ticket : null}
        focusKey={focusKey}
        propsOf={propsOf}
      />
    ));
}

interface ReadyProps extends Omit<ConversationsProps, 'ticket'> {
  uuid: string;
  /** Its ticket if it is the one shown, else null. */
  shown: Ticket | null;
}

/** The day separators 'Hoje' and 'Ontem' depend on today's date. */
const today = () => new Date().toDateString();

const Ready = memo(
  function Ready({ uuid, shown, focusKey, propsOf }: ReadyProps) {
    const { id: userId } = useCurrentUser();
    // The conversation shown updates itself.
    const isShown = shown !== null;
    const cached = useCached(ticketQuery(uuid).queryKey, !isShown) as Ticket | undefined;
    const ticket = shown ?? cached;
    // The data that a conversation reads only when it opens.
    const start = [
      useCached(messagesKey(ticket?.id ?? 0), !isShown),
      ticket?.unreadMessages,
      ticket?.lastMessageId,
      // Another tab may have changed the draft.
      JSON.stringify(readDraft(userId, ticket?.id ?? 0)),
      today(),
    ];
    const [drawn, setDrawn] = useState({ start, isShown, turn: 0 });
    const isSame = start.every((each, place) => each === drawn.start[place]);
    const goesOn = drawn.isShown ? isShown : isSame;
    if (!goesOn || drawn.isShown !== isShown)
      setDrawn({ start, isShown, turn: goesOn ? drawn.turn : drawn.turn + 1 });
    const given = useMemo(() => ticket && propsOf(ticket), [ticket, propsOf]);
    if (!ticket) return null;
    return (
      <Activity mode={shown ? 'visible' : 'hidden'}>
        <Conversation
          key={drawn.turn}
          ticket={ticket}
          focusKey={shown ? focusKey : undefined}
          {...given}
        />
      </Activity>
    );
  },
  // Changes of the page's props reach a hidden conversation only when it is shown.
  (before, after) => !before.shown && !after.shown,
);

/**
 * Returns the data cached under a key; with `follows` it re-renders on each change, without
 * fetching and without keeping the cache entry alive.
 */
function useCached(key: QueryKey, follows: boolean): unknown {
  const client = useQueryClient();
  return useSyncExternalStore(
    useCallback(
      (changed) => (follows ? client.getQueryCache().subscribe(changed) : () => undefined),
      [client, follows],
    ),
    () => client.getQueryData(key),
  );
}
