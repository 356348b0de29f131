import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { Activity, memo, useCallback, useState, useSyncExternalStore } from 'react';
import { ticketQuery, type Ticket } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';
import { messagesKey } from './api';
import { Conversation, type ConversationProps } from './Conversation';
import { readDraft } from './drafts';

/** So many conversations stand ready beside the one that is shown: each is some hundred rows. */
const MOST_READY = 9;

interface ConversationsProps {
  /** The one that is shown. */
  ticket: Ticket;
  focusMessageId: number | undefined;
  /** What the page does for a conversation. */
  propsOf: (ticket: Ticket) => Omit<ConversationProps, 'ticket' | 'focusMessageId'>;
}

/**
 * The open conversation, and ready behind it those that were left last. One that is left is closed
 * with all that was begun in it; then, when the browser has nothing else to do, it is drawn anew
 * out of sight as it will open, and going back to it only shows it. Nothing of it is active until
 * then: it hears, fetches, joins and marks nothing.
 */
export function Conversations({ ticket, focusMessageId, propsOf }: ConversationsProps) {
  const [recent, setRecent] = useState([ticket.uuid]);
  if (recent.at(-1) !== ticket.uuid)
    setRecent((before) =>
      [...before.filter((uuid) => uuid !== ticket.uuid), ticket.uuid].slice(-1 - MOST_READY),
    );
  // In an order of their own: none is moved in the page when another is shown.
  return [...recent]
    .sort()
    .map((uuid) => (
      <Ready
        key={uuid}
        uuid={uuid}
        shown={uuid === ticket.uuid ? ticket : null}
        focusMessageId={focusMessageId}
        propsOf={propsOf}
      />
    ));
}

interface ReadyProps extends Omit<ConversationsProps, 'ticket'> {
  uuid: string;
  /** Its ticket, when it is the one that is shown. */
  shown: Ticket | null;
}

/** 'Hoje' and 'Ontem' stand between the messages. */
const today = () => new Date().toDateString();

const Ready = memo(
  function Ready({ uuid, shown, focusMessageId, propsOf }: ReadyProps) {
    const { id: userId } = useCurrentUser();
    // What is shown hears by itself.
    const isShown = shown !== null;
    const cached = useCached(ticketQuery(uuid).queryKey, !isShown) as Ticket | undefined;
    const ticket = shown ?? cached;
    // What a conversation takes over as it is when it opens.
    const start = [
      useCached(messagesKey(ticket?.id ?? 0), !isShown),
      ticket?.unreadMessages,
      ticket?.lastMessageId,
      // Another tab may have written in it.
      JSON.stringify(readDraft(userId, ticket?.id ?? 0)),
      today(),
    ];
    const [drawn, setDrawn] = useState({ start, isShown, turn: 0 });
    const isSame = start.every((each, place) => each === drawn.start[place]);
    const goesOn = drawn.isShown ? isShown : isSame;
    if (!goesOn || drawn.isShown !== isShown)
      setDrawn({ start, isShown, turn: goesOn ? drawn.turn : drawn.turn + 1 });
    if (!ticket) return null;
    return (
      <Activity mode={shown ? 'visible' : 'hidden'}>
        <Conversation
          key={drawn.turn}
          ticket={ticket}
          focusMessageId={shown ? focusMessageId : undefined}
          {...propsOf(ticket)}
        />
      </Activity>
    );
  },
  // What changes on the page comes to it when it is shown.
  (before, after) => !before.shown && !after.shown,
);

/**
 * What is cached under a key; while `follows`, each change of it is heard, without asking the server
 * or keeping it from being forgotten.
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
