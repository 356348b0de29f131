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
import { useCurrentUser } from '@/stores/session';
import { foldTicket, patchTickets, removeTicket } from './fold';
import type {
  Reader,
  Ticket,
  TicketCounts,
  TicketFilters,
  TicketPages,
  TicketsPage,
} from './types';
import { useReader } from './useReader';

export type * from './types';

export { belongs, messageStep, patchTickets, readTicket, removeTicket, ticketsOf } from './fold';
export { lastWords } from './lastWords';
export { foldRelated, type RelatedChange } from './related';
export { useRelatedEvents } from './useRelatedEvents';
export { useReader } from './useReader';

/** Who answers a ticket before a person does; null when a person is awaited or has it. */
export function autoResponderOf(
  ticket: Pick<Ticket, 'status' | 'chatbot' | 'useIntegration' | 'promptId'>,
): 'bot' | 'integration' | 'ai' | null {
  if (ticket.status !== 'pending') return null;
  if (ticket.useIntegration) return 'integration';
  if (ticket.promptId !== null) return 'ai';
  return ticket.chatbot ? 'bot' : null;
}

export const PAGE_SIZE = 40;

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
    searchParam: filters.search,
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
  });

/** How many open and waiting tickets pass the same filters. */
export const ticketCountsQuery = ({ showAll, queues, tags, users, unread }: TicketFilters) =>
  queryOptions({
    queryKey: ['tickets', 'counts', { showAll, queues, tags, users, unread }] as const,
    queryFn: ({ queryKey: [, , filters], signal }) =>
      api.get<TicketCounts>('/tickets/counts', queryOf(filters), signal),
  });

const COUNTS_MS = 400;
let recounting = 0;

/**
 * Fetches the counts again soon: whoever asks within the time shares the one, and steady events
 * cost no more than one each time.
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

/** A ticket as the lists show it, which live events keep as it is now; undefined where none does. */
export const listedTicket = (client: QueryClient, uuid: string | undefined): Ticket | undefined =>
  client
    .getQueriesData<TicketPages>({ queryKey: ['tickets', 'list'] })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap(({ tickets }) => tickets)
    .filter((ticket) => ticket.uuid === uuid)
    .sort((left, right) => right.updatedAt.localeCompare(left.updatedAt))[0];

/** Puts a ticket the server answered or sent into every list and its own page. */
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
  /** Who gets a reopened one, when it is not who reopens it. */
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

/** Says why an action was refused; when someone was faster or holds another ticket, who it is. */
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

/** The ticket in a refusal: the contact's other one on that connection (rules/tickets §4). */
export function otherTicketOf(error: unknown): Ticket | null {
  if (!(error instanceof ApiError) || error.code !== 'ERR_OTHER_OPEN_TICKET') return null;
  return (error.body.ticket as Ticket | undefined) ?? null;
}

/** Who holds a contact's other ticket, and in which queue. */
export function otherTicketText({ user, queue }: Ticket): string {
  const words = { name: user?.name, queue: queue?.name, context: queue?.name ? '' : 'noQueue' };
  return i18n.t(user?.name ? 'tickets:otherHeldBy' : 'tickets:otherWaiting', words);
}

/**
 * Accepts, returns, resolves or reopens; the lists follow at once, a refusal is told. `onOwnOther`
 * hears of the user's own ticket that stands in the way of reopening one.
 */
export function useTicketAction(onOwnOther?: (other: Ticket) => void) {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: (step: TicketStep) =>
      api.put<Ticket>(`/tickets/${step.ticket.id}`, bodyOf(step, reader.userId)),
    onSuccess: (ticket) => {
      storeTicket(client, ticket, reader);
      recount(client);
    },
    onError: (error, { ticket }) => {
      const other = otherTicketOf(error);
      if (other && other.userId === reader.userId && onOwnOther) {
        toast.info(i18n.t('tickets:otherOwn'));
        onOwnOther(other);
      } else void explainRefusal(client, ticket, error);
      // Someone else was faster, or the ticket is gone: show what is true now.
      void client.invalidateQueries({ queryKey: ['tickets'] });
    },
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
  status: Ticket['status'] | undefined;
  userId: number | null;
  queueId: number;
  whatsappId: number;
  /** For the team, in the conversation. */
  note?: string;
}

/** Passes a ticket on; without a user it waits in the queue (rules/tickets §1). */
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

/** Takes a ticket out of everything that is cached. */
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

/** Gives a ticket exactly these tags; two kanban tags are refused (rules/tickets §10). */
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

/** Sets a ticket's tags: shown at once, taken back when the server refuses. */
export function useTicketTags(ticket: Ticket) {
  const client = useQueryClient();
  const reader = useReader();
  const key = ['tickets', 'tags', ticket.id];
  return useMutation({
    mutationKey: key,
    // One after another: the last choice is what the server keeps.
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
      // While another choice is on its way, its tags are the ones to show.
      if (client.isMutating({ mutationKey: key }) === 1) storeTicket(client, saved, reader);
    },
    onError: (error, _tags, context) => {
      if (context) putTags(client, ticket.id, context.before);
      toast.error(error);
      void client.invalidateQueries({ queryKey: ['tickets', 'uuid', ticket.uuid] });
    },
  });
}

/** Moves a ticket into a kanban tag's lane, or with null out of all; its other tags stay. */
export const setLane = (ticketId: number, tagId: number | null) =>
  tagId === null
    ? api.delete<Ticket>(`/ticket-tags/${ticketId}`)
    : api.put<Ticket>(`/ticket-tags/${ticketId}/${tagId}`);
