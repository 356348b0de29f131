import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import {
  deadlineStep,
  foldRelated,
  messageStep,
  patchTickets,
  readTicket,
  useRelatedEvents,
  useReader,
  type RelatedChange,
  type Reader,
} from '@/features/tickets/api';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent, useStatusRoom } from '@/lib/socket';
import { eachLane, laneKey, lanesKey, storeOnBoard } from './api';
import { foldDeleted } from './fold';
import { foldLanes } from './lanes';
import type { Lane } from './types';

/** Applies a ticket event to the lanes. */
export function applyTicketEvent(client: QueryClient, event: LiveEvent<'ticket'>, reader: Reader) {
  switch (event.action) {
    case 'update':
      storeOnBoard(client, event.ticket, reader);
      break;
    case 'delete':
      eachLane(client, (pages) => foldDeleted(pages, event.ticketId, event.oldStatus));
      break;
    case 'updateUnread':
      eachLane(client, (pages) => patchTickets(pages, readTicket(event.ticketId)));
  }
}

/**
 * Applies a message event: a new message changes its card, a status of the last one changes the
 * tick.
 */
export function applyMessageEvent(
  client: QueryClient,
  event: LiveEvent<'appMessage'>,
  reader: Reader,
) {
  if (event.action === 'create') storeOnBoard(client, event.ticket, reader);
  else eachLane(client, (pages) => patchTickets(pages, messageStep(event.message)));
}

/** Applies the change of a contact, queue, connection, user or tag to the cards that show it. */
export function applyRelated(client: QueryClient, change: RelatedChange) {
  eachLane(client, (pages) => foldRelated(pages, change));
  // Only the server knows who sees the tickets of a deleted queue.
  if (change.kind === 'queue' && change.now === null)
    void client.invalidateQueries({ queryKey: laneKey });
}

/** Applies the change of a tag to the columns. */
export function applyTagEvent(client: QueryClient, event: LiveEvent<'tag'>) {
  const count = () => client.getQueryData<Lane[]>(lanesKey)?.length;
  const before = count();
  changeQueries<Lane[]>(client, lanesKey, (lanes) => foldLanes(lanes, event));
  // A lane was added or removed, and with it the lane of tickets that the browser may not know.
  if (count() !== before) void client.invalidateQueries({ queryKey: laneKey });
}

/** Keeps the board in step with the live events while mounted. */
export function useBoardEvents() {
  const client = useQueryClient();
  const reader = useReader();
  const joined = useRef(0);
  // What came between fetching and hearing is lost to both: fetched again once both rooms are ours.
  const onJoined = () => {
    joined.current = (joined.current + 1) % 2;
    if (joined.current === 0) void client.invalidateQueries({ queryKey: laneKey });
  };
  useStatusRoom('open', onJoined);
  useStatusRoom('pending', onJoined);
  useCompanyEvent('ticket', (event) => applyTicketEvent(client, event, reader));
  useCompanyEvent('appMessage', (event) => applyMessageEvent(client, event, reader));
  useCompanyEvent('ticketDeadline', (event) =>
    eachLane(client, (pages) => patchTickets(pages, deadlineStep(event))),
  );
  useRelatedEvents((change) => applyRelated(client, change));
  useCompanyEvent('tag', (event) => applyTagEvent(client, event));
}
