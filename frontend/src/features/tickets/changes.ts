import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { changeQueries } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { storeTicket, type Ticket, type TicketPages } from './api';
import { patchTickets, removeTicket, useReader } from './fold';
import { syncTags } from './tagsApi';

export interface Transfer {
  status: Ticket['status'] | undefined;
  userId: number | null;
  queueId: number;
  whatsappId: number;
}

/** Passes a ticket on; without a user it waits in the queue (specification 2 §4). */
export function useTransferTicket(ticketId: number) {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationFn: (transfer: Transfer) => api.put<Ticket>(`/tickets/${ticketId}`, transfer),
    onSuccess: (ticket) => {
      storeTicket(client, ticket, reader);
      void client.invalidateQueries({ queryKey: ['tickets', 'counts'] });
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
    onSuccess: () => void client.invalidateQueries({ queryKey: ['tickets', 'counts'] }),
  });
}

/** The tags that a ticket has once one is switched; a lane takes the place of another lane. */
export function switchTag(tags: Ticket['tags'], tag: Ticket['tags'][number]): Ticket['tags'] {
  if (tags.some(({ id }) => id === tag.id)) return tags.filter(({ id }) => id !== tag.id);
  const kept = tag.kanban ? tags.filter(({ kanban }) => !kanban) : tags;
  return [...kept, tag].sort((left, right) => left.name.localeCompare(right.name));
}

function putTags(client: QueryClient, ticketId: number, tags: Ticket['tags']) {
  const patch = (ticket: Ticket): Ticket => ({ ...ticket, tags });
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages) =>
    patchTickets(pages, ({ id }) => id === ticketId, patch),
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
