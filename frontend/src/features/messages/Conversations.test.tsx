import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { memo } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ticketQuery, type Ticket } from '@/features/tickets/api';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import type { ConversationProps } from './Conversation';
import { Conversations } from './Conversations';
import { makeTicket } from './testData';

const rendered = vi.hoisted(() => [] as number[]);
vi.mock('./Conversation', () => ({
  Conversation: memo(function Conversation({ ticket }: ConversationProps) {
    rendered.push(ticket.id);
    return null;
  }),
}));

beforeEach(() => openSession({ token: 'abc', user: makeUser() }));

const ANA = makeTicket({ id: 1, uuid: 'ana' });
const BIA = makeTicket({ id: 2, uuid: 'bia' });

test('a conversation that was kept is shown without being rendered again', () => {
  const client = new QueryClient();
  for (const ticket of [ANA, BIA]) client.setQueryData(ticketQuery(ticket.uuid).queryKey, ticket);
  const propsOf = () => ({ tools: {} });
  const page = (ticket: Ticket) => (
    <QueryClientProvider client={client}>
      <Conversations ticket={ticket} focusKey={undefined} propsOf={propsOf} />
    </QueryClientProvider>
  );
  const { rerender } = render(page(ANA));
  rerender(page(BIA));
  // The one that was left is rendered in advance, as it will open.
  expect(rendered).toEqual([ANA.id, BIA.id, ANA.id]);
  rendered.length = 0;
  rerender(page(ANA));
  expect(rendered).toEqual([BIA.id]);
});
