import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { storeTicket, ticketQuery } from './api';
import type { Ticket } from './types';

const waiting = {
  id: 4,
  uuid: 'u4',
  status: 'pending',
  updatedAt: '2026-01-01T10:00:00Z',
} as Ticket;
const accepted = { ...waiting, status: 'open', updatedAt: '2026-01-01T10:00:05Z' } as Ticket;

test('what was fetched before an answer does not undo it', async () => {
  const client = new QueryClient();
  const answers: ((ticket: Ticket) => void)[] = [];
  const query = ticketQuery(waiting.uuid);
  const stop = new QueryObserver<Ticket>(client, {
    queryKey: query.queryKey,
    initialData: waiting,
    initialDataUpdatedAt: 0,
    queryFn: () => new Promise<Ticket>((resolve) => answers.push(resolve)),
  }).subscribe(() => undefined);
  storeTicket(client, accepted, { userId: 7, queues: [], seesAll: true });
  expect(client.getQueryData(query.queryKey)).toEqual(accepted);
  answers[0]?.(waiting);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(accepted);
  await vi.waitFor(() => expect(client.getQueryData(query.queryKey)).toEqual(accepted));
  stop();
});
