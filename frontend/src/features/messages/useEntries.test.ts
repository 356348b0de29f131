import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { makeUnsent } from '@/lib/outbox/testData';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useOutbox } from './outbox';
import { makeMessage, makePage, makePages, makeTicket } from './testData';
import { useEntries } from './useEntries';
import type { useThread } from './useThread';

const user = makeUser();
const ticket = makeTicket();
const SENDING = makeUnsent({
  ticketId: ticket.id,
  body: 'Achei o pedido.',
  quoted: null,
  stored: null,
  state: 'sending',
});

beforeEach(() => {
  openSession({ token: 'abc', user });
  useOutbox.setState({ items: [SENDING] });
});

function shown(clientId: string) {
  const messages = [makeMessage(1, { fromMe: true, clientId })];
  const data = makePages(makePage([], { messages }));
  const thread = {
    query: { data, hasNextPage: false, isFetchedAfterMount: true },
    hasNewer: false,
  } as unknown as ReturnType<typeof useThread>;
  const { result } = renderHook(() => useEntries(ticket, thread));
  return result.current.entries.map(({ kind }) => kind).filter((kind) => kind !== 'day');
}

test('what is on its way stands after what is stored', () => {
  expect(shown('outro-envio')).toEqual(['message', 'outbox']);
});

test('what was read as stored before its answer came is shown once', () => {
  expect(shown(SENDING.clientId)).toEqual(['message']);
});
