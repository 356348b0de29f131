import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { i18n } from '@/i18n';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema';
import { changeQueries } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { foldTicket, useReader, type Reader } from './fold';

export { belongs, patchTickets, removeTicket, useReader, type Reader } from './fold';

type Schemas = components['schemas'];

export type Ticket = Schemas['Ticket'];
export type TicketStatus = Ticket['status'];
export type TicketsPage = Schemas['TicketPage'];
export type TicketCounts = Schemas['TicketCounts'];
export type TicketPages = InfiniteData<TicketsPage>;

/** Who answers a ticket before a person does; null when a person is awaited or has it. */
export function leaderOf(
  ticket: Pick<Ticket, 'status' | 'chatbot' | 'useIntegration' | 'promptId'>,
): 'bot' | 'integration' | 'ai' | null {
  if (ticket.status !== 'pending') return null;
  if (ticket.useIntegration) return 'integration';
  if (ticket.promptId !== null) return 'ai';
  return ticket.chatbot ? 'bot' : null;
}

/**
 * What a list shows. `queues`: chosen queues, 0 for 'without queue'; empty is all. `tags`: all of
 * them; `users`: any of them.
 */
export interface TicketFilters {
  status?: TicketStatus;
  showAll: boolean;
  queues: readonly number[];
  tags?: readonly number[];
  users?: readonly number[];
  unread?: boolean;
  search?: string;
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

/** Each ticket once, newest first: pages overlap while rows come and go. */
export function ticketsOf(pages: TicketPages | undefined): Ticket[] {
  const tickets = new Map<number, Ticket>();
  for (const page of pages?.pages ?? [])
    for (const ticket of page.tickets) if (!tickets.has(ticket.id)) tickets.set(ticket.id, ticket);
  return [...tickets.values()].sort(
    (left, right) => right.updatedAt.localeCompare(left.updatedAt) || right.id - left.id,
  );
}

export const ticketsQuery = (filters: TicketFilters) =>
  infiniteQueryOptions({
    queryKey: ['tickets', 'list', filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<TicketsPage>('/tickets', { ...queryOf(filters), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    // From what is loaded, not from the last page's number: rows that left would be skipped.
    getNextPageParam: (last: TicketsPage, pages: TicketsPage[]) =>
      last.hasMore
        ? Math.floor(ticketsOf({ pages, pageParams: [] }).length / PAGE_SIZE) + 1
        : undefined,
  });

/** How many open and waiting tickets pass the same filters. */
export const ticketCountsQuery = ({ showAll, queues, tags, users, unread }: TicketFilters) =>
  queryOptions({
    queryKey: ['tickets', 'counts', { showAll, queues, tags, users, unread }] as const,
    queryFn: ({ queryKey: [, , filters], signal }) =>
      api.get<TicketCounts>('/tickets/counts', queryOf(filters), signal),
  });

export const ticketQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['tickets', 'uuid', uuid] as const,
    queryFn: ({ signal }) => api.get<Ticket>(`/tickets/u/${uuid}`, undefined, signal),
    retry: false,
  });

/** Puts a ticket the server answered or sent into every list and its own page. */
export function storeTicket(client: QueryClient, ticket: Ticket, reader: Reader) {
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages, [, , filters]) =>
    foldTicket(pages, ticket, filters as TicketFilters, reader),
  );
  client.setQueryData<Ticket>(['tickets', 'uuid', ticket.uuid], (known) =>
    known && known.updatedAt > ticket.updatedAt ? known : ticket,
  );
}

export type TicketAction = 'accept' | 'return' | 'resolve' | 'reopen';

function bodyOf(ticket: Ticket, action: TicketAction, userId: number) {
  switch (action) {
    case 'accept':
    case 'reopen':
      return { status: 'open', userId, queueId: ticket.queueId };
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

/** The ticket that a refusal carries: the contact's other one on that connection (rules §2). */
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
    mutationFn: ({ ticket, action }: { ticket: Ticket; action: TicketAction }) =>
      api.put<Ticket>(`/tickets/${ticket.id}`, bodyOf(ticket, action, reader.userId)),
    onSuccess: (ticket) => {
      storeTicket(client, ticket, reader);
      void client.invalidateQueries({ queryKey: ['tickets', 'counts'] });
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

export interface NewTicket {
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
