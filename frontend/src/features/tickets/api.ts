import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { i18n } from '@/i18n';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { nextPageByRows } from '@/lib/api/pages';
import { changeQueries } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { askClosing } from '@/stores/closing';
import { useCurrentUser } from '@/stores/session';
import { confirmUnsent } from '@/stores/unsent';
import { foldTicket, patchTickets, removeTicket } from './fold';
import type {
  Priority,
  Reader,
  Ticket,
  TicketCounts,
  TicketFilters,
  TicketPages,
  TicketsPage,
} from './types';
import { useReader } from './useReader';

export type * from './types';

export {
  belongs,
  deadlineStep,
  messageStep,
  patchTickets,
  readTicket,
  removeTicket,
  ticketsOf,
} from './fold';
export { DeadlineMark } from './DeadlineMark';
export { lastWords } from './lastWords';
export { PRIORITIES } from './priorities';
export { PriorityMark } from './PriorityMark';
export { SnoozedUntil } from './SnoozedUntil';
export { isHandedOver, isUnread } from './unopened';
export { foldRelated, type RelatedChange } from './related';
export { useRelatedEvents } from './useRelatedEvents';
export { useReader } from './useReader';

/** The automatic responder of a ticket; null if a person handles it or is awaited. */
export function autoResponderOf(
  ticket: Pick<Ticket, 'status' | 'chatbot' | 'useIntegration' | 'promptId'>,
): 'bot' | 'integration' | 'ai' | null {
  if (ticket.status !== 'pending') return null;
  if (ticket.useIntegration) return 'integration';
  if (ticket.promptId !== null) return 'ai';
  return ticket.chatbot ? 'bot' : null;
}

export const PAGE_SIZE = 40;
/** How often a list that time alone changes is read again. */
const CLOSING_MS = 60_000;

const asJson = (ids: readonly number[] | undefined) =>
  ids && ids.length > 0 ? JSON.stringify(ids) : undefined;

export function queryOf(filters: TicketFilters) {
  const queues = filters.queues.filter((id) => id !== 0);
  const withNone = filters.queues.includes(0);
  return {
    status: filters.status,
    showAll: filters.showAll ? 'true' : undefined,
    queueIds: asJson(queues),
    tags: asJson(filters.tags),
    users: asJson(filters.users),
    withUnreadMessages: filters.unread ? 'true' : undefined,
    withoutQueue:
      filters.queues.length === 0
        ? undefined
        : withNone
          ? queues.length
            ? 'true'
            : 'only'
          : 'false',
    unansweredCampaigns: filters.campaigns ? 'only' : undefined,
    windowClosing: filters.closing ? 'true' : undefined,
    snoozed: filters.snoozed
      ? 'only'
      : filters.status && filters.status !== 'closed'
        ? 'false'
        : undefined,
    searchParam: filters.search,
    order: filters.order,
  };
}

export const ticketsQuery = (filters: TicketFilters) =>
  infiniteQueryOptions({
    queryKey: ['tickets', 'list', filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<TicketsPage>('/tickets', { ...queryOf(filters), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last: TicketsPage, pages: TicketsPage[]) =>
      nextPageByRows(
        last,
        pages.flatMap((page) => page.tickets),
        PAGE_SIZE,
      ),
    // No event tells when the last hour of a window begins or ends.
    refetchInterval: filters.closing ? CLOSING_MS : false,
  });

/**
 * The numbers of open and pending tickets that pass the filters. The key is what the server is
 * asked, so that filters that are off and filters that are left out share one answer.
 */
export function ticketCountsQuery({
  showAll,
  queues,
  tags,
  users,
  unread,
  campaigns,
  closing,
  snoozed,
}: TicketFilters) {
  const asked = {
    ...queryOf({ showAll, queues, tags, users, unread, campaigns, closing }),
    snoozed: snoozed ? 'only' : 'false',
  };
  return queryOptions({
    queryKey: ['tickets', 'counts', asked] as const,
    queryFn: ({ signal }) => api.get<TicketCounts>('/tickets/counts', asked, signal),
    refetchInterval: closing ? CLOSING_MS : false,
  });
}

const COUNTS_MS = 400;
let recounting = 0;

/**
 * Fetches the counts again after a short delay. Calls within the delay share one request, so that
 * continuous events cause at most one request per delay.
 */
export function recount(client: QueryClient) {
  recounting ||= window.setTimeout(() => {
    recounting = 0;
    void client.invalidateQueries({ queryKey: ['tickets', 'counts'] });
  }, COUNTS_MS);
}

export const ticketQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['tickets', 'uuid', uuid] as const,
    queryFn: ({ signal }) => api.get<Ticket>(`/tickets/u/${uuid}`, undefined, signal),
    retry: false,
  });

/**
 * A ticket as cached in the lists, which live events keep up to date; undefined if no list holds
 * it.
 */
export const listedTicket = (client: QueryClient, uuid: string | undefined): Ticket | undefined =>
  client
    .getQueriesData<TicketPages>({ queryKey: ['tickets', 'list'] })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap(({ tickets }) => tickets)
    .filter((ticket) => ticket.uuid === uuid)
    .sort((left, right) => right.updatedAt.localeCompare(left.updatedAt))[0];

/** Stores a ticket from an answer or an event in all lists and under its own address. */
export function storeTicket(client: QueryClient, ticket: Ticket, reader: Reader) {
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages, [, , filters]) =>
    foldTicket(pages, ticket, filters as TicketFilters, reader),
  );
  const { queryKey } = ticketQuery(ticket.uuid);
  if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, ticket);
  changeQueries<Ticket>(client, queryKey, (known) =>
    known.updatedAt > ticket.updatedAt ? known : ticket,
  );
}

export type TicketAction = 'accept' | 'return' | 'resolve' | 'reopen';

interface TicketStep {
  ticket: Ticket;
  action: TicketAction;
  /** The holder of a reopened ticket, if that is not the user who reopens it. */
  holderId?: number | null;
}

function bodyOf({ ticket, action, holderId }: TicketStep, userId: number) {
  switch (action) {
    case 'accept':
      return { status: 'open', userId, queueId: ticket.queueId };
    case 'reopen':
      return { status: 'open', userId: holderId ?? userId, queueId: ticket.queueId };
    case 'return':
      return { status: 'pending', userId: null, queueId: ticket.queueId };
    case 'resolve':
      return { status: 'closed', userId, queueId: ticket.queueId };
  }
}

/**
 * Reports why an action was refused; if another user was faster or holds another ticket, names that
 * user.
 */
async function explainRefusal(client: QueryClient, ticket: Ticket, error: unknown) {
  if (error instanceof ApiError && error.code === 'ERR_TICKET_ALREADY_TAKEN') {
    const now = await client.query({ ...ticketQuery(ticket.uuid), staleTime: 0 }).catch(() => null);
    if (now?.user) {
      toast.warning(i18n.t('tickets:takenBy', { name: now.user.name }));
      return;
    }
  }
  const other = otherTicketOf(error);
  if (other) toast.warning(otherTicketText(other));
  else toast.error(error);
}

/** The other ticket of the contact on that connection, from a refusal (rules/tickets §4). */
export function otherTicketOf(error: unknown): Ticket | null {
  if (!(error instanceof ApiError) || error.code !== 'ERR_OTHER_OPEN_TICKET') return null;
  return (error.body.ticket as Ticket | undefined) ?? null;
}

/** A sentence with the holder or the queue of a contact's other ticket. */
export function otherTicketText({ user, queue }: Ticket): string {
  const words = { name: user?.name, queue: queue?.name, context: queue?.name ? '' : 'noQueue' };
  return i18n.t(user?.name ? 'tickets:otherHeldBy' : 'tickets:otherWaiting', words);
}

/** The user stays, because messages of the conversation were not sent. */
class NotConfirmed extends Error {}

/**
 * Accepts, returns, resolves or reopens a ticket; updates the lists at once and reports a refusal.
 * Asks first if messages of the conversation were not sent. `onOwnOther` is called if the user's own ticket prevents reopening.
 */
export function useTicketAction(onOwnOther?: (other: Ticket) => void) {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: async (step: TicketStep) => {
      const { ticket, action } = step;
      const ends = action === 'resolve' || action === 'return';
      if (ends && !(await confirmUnsent(action, ticket.id))) throw new NotConfirmed();
      const body = bodyOf(step, reader.userId);
      if (action !== 'resolve') return await api.put<Ticket>(`/tickets/${ticket.id}`, body);
      const { contactId, contact, isGroup } = ticket;
      const closingReason = await askClosing({ contactId, name: contact.name, isGroup });
      if (closingReason === null) throw new NotConfirmed();
      return await api.put<Ticket>(`/tickets/${ticket.id}`, {
        ...body,
        ...(closingReason && { closingReason }),
      });
    },
    onSuccess: (ticket) => {
      storeTicket(client, ticket, reader);
      recount(client);
    },
    onError: (error, { ticket }) => {
      if (error instanceof NotConfirmed) return;
      const other = otherTicketOf(error);
      if (other && other.userId === reader.userId && onOwnOther) {
        toast.info(i18n.t('tickets:otherOwn'));
        onOwnOther(other);
      } else void explainRefusal(client, ticket, error);
      // Another user was faster, or the ticket is gone: fetch the current state.
      void client.invalidateQueries({ queryKey: ['tickets'] });
    },
  });
}

/** Gives a ticket a priority; the lists follow at once (rules/tickets §17). */
export function usePriority() {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: ({ ticket, priority }: { ticket: Pick<Ticket, 'id'>; priority: Priority }) =>
      api.put<Ticket>(`/tickets/${ticket.id}/priority`, { priority }),
    onSuccess: (changed) => storeTicket(client, changed, reader),
    onError: (error) => toast.error(error),
  });
}

/**
 * Puts a ticket aside until a moment, with null until the contact writes, or with undefined brings
 * it back (rules/tickets §18).
 */
export function useSnooze(ticketId: number) {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: (until: Date | null | undefined) =>
      until === undefined
        ? api.delete<Ticket>(`/tickets/${ticketId}/snooze`)
        : api.put<Ticket>(`/tickets/${ticketId}/snooze`, { until: until?.toISOString() ?? null }),
    onSuccess: (changed) => {
      storeTicket(client, changed, reader);
      recount(client);
    },
    onError: (error) => toast.error(error),
  });
}

/** Takes a conversation from another responder of its number, or gives it back. */
export function useThreadControl(ticketId: number) {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: (action: 'take' | 'release') =>
      api.post<Ticket>(`/tickets/${ticketId}/thread-control`, { action }),
    onSuccess: (ticket) => storeTicket(client, ticket, reader),
  });
}

interface NewTicket {
  contactId: number;
  queueId: number | null;
  whatsappId: number | null;
}

export function useCreateTicket() {
  const client = useQueryClient();
  const user = useCurrentUser();
  return useMutation({
    mutationFn: (body: NewTicket) =>
      api.post<Ticket>('/tickets', { ...body, userId: user.id, status: 'open' }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['tickets'] }),
  });
}

interface Transfer {
  status?: Ticket['status'] | undefined;
  /** Without user and queue the ticket keeps its own. */
  userId?: number | null;
  queueId?: number;
  whatsappId: number;
  /** A note for the team, shown in the conversation. */
  note?: string;
}

/** Transfers a ticket; with a queue and no user it waits there (rules/tickets §1). */
export function useTransferTicket(ticketId: number) {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: (transfer: Transfer) => api.put<Ticket>(`/tickets/${ticketId}`, transfer),
    onSuccess: (ticket) => {
      storeTicket(client, ticket, reader);
      recount(client);
    },
  });
}

/** Removes a ticket from the cache. */
export function forgetTicket(client: QueryClient, ticket: Pick<Ticket, 'id' | 'uuid'>) {
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages) =>
    removeTicket(pages, ticket.id),
  );
  client.removeQueries({ queryKey: ['tickets', 'uuid', ticket.uuid] });
  client.removeQueries({ queryKey: ['messages', ticket.id] });
}

export function useDeleteTicket() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ticket: Ticket) => api.delete(`/tickets/${ticket.id}`),
    onSuccess: () => recount(client),
  });
}

/** Replaces a ticket's tags; the server refuses two kanban tags (rules/tickets §10). */
const syncTags = (ticketId: number, tagIds: readonly number[]) =>
  api.post<Ticket>('/tags/sync', { ticketId, tags: tagIds });

function putTags(client: QueryClient, ticketId: number, tags: Ticket['tags']) {
  const patch = (ticket: Ticket): Ticket => ({ ...ticket, tags });
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages) =>
    patchTickets(pages, { picks: ({ id }) => id === ticketId, patch }),
  );
  changeQueries<Ticket>(client, ['tickets', 'uuid'], (ticket) =>
    ticket.id === ticketId ? patch(ticket) : ticket,
  );
}

/** Sets a ticket's tags optimistically; restores the old ones if the server refuses. */
export function useTicketTags(ticket: Ticket) {
  const client = useQueryClient();
  const reader = useReader();
  const key = ['tickets', 'tags', ticket.id];
  return useMutation({
    mutationKey: key,
    // The scope runs the mutations one after another, so that the last choice is stored.
    scope: { id: key.join('-') },
    mutationFn: (tags: Ticket['tags']) =>
      syncTags(
        ticket.id,
        tags.map(({ id }) => id),
      ),
    onMutate: (tags) => {
      putTags(client, ticket.id, tags);
      return { before: ticket.tags };
    },
    onSuccess: (saved) => {
      // While another change is pending, its tags are shown.
      if (client.isMutating({ mutationKey: key }) === 1) storeTicket(client, saved, reader);
    },
    onError: (error, _tags, context) => {
      if (context) putTags(client, ticket.id, context.before);
      toast.error(error);
      void client.invalidateQueries({ queryKey: ['tickets', 'uuid', ticket.uuid] });
    },
  });
}

/**
 * Moves a ticket into the lane of a kanban tag, or with null out of all lanes; its other tags stay.
 */
export const setLane = (ticketId: number, tagId: number | null) =>
  tagId === null
    ? api.delete<Ticket>(`/ticket-tags/${ticketId}`)
    : api.put<Ticket>(`/ticket-tags/${ticketId}/${tagId}`);
