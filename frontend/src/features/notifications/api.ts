import { queryOptions } from '@tanstack/react-query';
import type { Ticket } from '@/features/tickets/api';
import { api } from '@/lib/api/client';

/** Whoever waited may have been answered after this time. */
export const FRESH_MS = 60_000;

/** The user's own tickets whose window closes within the hour (rules/tickets §15). */
export const closingQuery = () =>
  queryOptions({
    queryKey: ['notifications', 'closing'] as const,
    queryFn: ({ signal }) =>
      api.get<{ tickets: Ticket[] }>('/tickets', { windowClosing: 'true', status: 'open' }, signal),
    // Live events tell the rest; a reconnect, and looking at the page again, reads it anew.
    staleTime: FRESH_MS,
  });
