import { describe, expect, test } from 'vitest';
import type { Permission } from '@/lib/permissions';
import type { Ticket } from '@/features/tickets/api';
import type { LiveEvent } from '@/lib/api/types';
import { makeUser } from '@/test/user';
import {
  awaited,
  changed,
  closing,
  closingOf,
  concerns,
  handedOver,
  mentioned,
  MOST_AT_ONCE,
  noticesOf,
  stillConcerning,
  type Arrival,
} from './rules';

type Awaited = Parameters<typeof awaited>[0];

const queue = { id: 3, name: 'Vendas', color: '#123456' };
const user = {
  ...makeUser(),
  id: 7,
  granted: ['tickets:seeQueues'] as Permission[],
  queues: [{ ...queue, UserQueue: { userId: 7, queueId: 3 } }],
};

function arrival(ticket: Partial<Ticket>, fromMe = false, id = 1): Arrival {
  return {
    message: { id, fromMe, body: 'Olá', mediaType: 'conversation', read: false },
    ticket: {
      id: 1,
      status: 'pending',
      userId: null,
      queueId: 3,
      promptId: null,
      ...ticket,
    } as Ticket,
  };
}

describe('who is told', () => {
  test('the holder, and those for whom it waits', () => {
    expect(concerns(arrival({ status: 'open', userId: 7 }), user)).toBe(true);
    expect(concerns(arrival({}), user)).toBe(true);
  });

  test('who waits for a contact, whoever holds the ticket', () => {
    const event = { action: 'update', fromTicketId: 1, ...arrival({ status: 'open', userId: 8 }) };
    const told = awaited(event as unknown as Awaited);
    expect(concerns(told, user)).toBe(true);
    // The holder gets the message twice, and one notice of it.
    const [notice, ...others] = noticesOf([arrival({ status: 'open', userId: 7 }), told]);
    expect(notice).toMatchObject({ kind: 'ticket', count: 1, arrival: { isAwaited: true } });
    expect(others).toEqual([]);
  });

  test('the holder alone, that a window closes', () => {
    const closes = (ticket: Partial<Ticket>) => {
      const event = { action: 'update', closesAt: '2026-11-30T12:00:00Z', ...arrival(ticket) };
      return closing(event as unknown as LiveEvent<'ticketWindow'>);
    };
    expect(concerns(closes({ status: 'open', userId: 7 }), user)).toBe(true);
    expect(concerns(closes({ status: 'open', userId: 8 }), user)).toBe(false);
    const [notice] = noticesOf([
      arrival({ status: 'open', userId: 7 }),
      closes({ status: 'open', userId: 7 }),
    ]);
    expect(notice).toMatchObject({ kind: 'ticket', arrival: { closesAt: '2026-11-30T12:00:00Z' } });
  });

  test('nobody else', () => {
    expect(concerns(arrival({ status: 'open', userId: 8 }), user)).toBe(false);
    expect(concerns(arrival({ queueId: 4 }), user)).toBe(false);
    expect(concerns(arrival({ queueId: null }), user)).toBe(false);
    expect(concerns(arrival({ status: 'closed' }), user)).toBe(false);
  });

  test('nobody of what our own side wrote', () => {
    expect(concerns(arrival({ status: 'open', userId: 7 }, true), user)).toBe(false);
  });

  test('nobody of what a contact says to another responder', () => {
    const said = arrival({ status: 'open', userId: 7 });
    const message = said.message && { ...said.message, read: true };
    expect(concerns({ ...said, message }, user)).toBe(false);
  });

  test('nobody of what is said to a bot, an integration or a model', () => {
    for (const leading of [{ chatbot: true }, { useIntegration: true }, { promptId: 5 }])
      expect(concerns(arrival(leading), user)).toBe(false);
    expect(concerns(arrival({ chatbot: true, status: 'open', userId: 7 }), user)).toBe(true);
  });

  test('a ticket without a queue waits for admins', () => {
    const admin = { ...user, granted: ['tickets:seeAll'] as Permission[] };
    expect(concerns(arrival({ queueId: null }), admin)).toBe(true);
  });
});

test('what was meanwhile given to somebody else concerns its holder alone', () => {
  const waits = arrival({});
  const other = arrival({ id: 2 });
  const given = (userId: number) => arrival({ status: 'open', userId }).ticket;
  expect(stillConcerning([waits, other], given(8), user)).toEqual([other]);
  expect(stillConcerning([waits, other], given(7), user)).toEqual([waits, other]);
  const mention = { ...waits, isAwaited: true };
  expect(stillConcerning([mention], given(8), user)).toEqual([mention]);
});

describe('what the bot leaves to people', () => {
  const { ticket } = arrival({});
  const update = (kind: string, reason: string | null) =>
    ({ action: 'update', ticket, event: { kind, reason } }) as LiveEvent<'ticket'>;

  test('waits for them, whether it ended or a time ran out', () => {
    const events = [update('bot_ended', 'handed_over'), update('queued', null)];
    // Another responder of the number has given the conversation to us.
    for (const event of [...events, update('control_passed', null)])
      expect(handedOver(event, user.id)).toEqual({ message: null, ticket });
  });

  test('but not when somebody answered on the phone, nor at any other change', () => {
    expect(handedOver(update('bot_ended', 'phone'), user.id)).toBeNull();
    expect(handedOver({ action: 'update', ticket }, user.id)).toBeNull();
    expect(handedOver({ action: 'delete', ticketId: ticket.id }, user.id)).toBeNull();
  });

  test('is one notice together with the message that led to it', () => {
    const [notice] = noticesOf([{ message: null, ticket }, arrival({}, false, 9)]);
    expect(notice).toMatchObject({ count: 1, arrival: { message: { id: 9 } } });
    expect(noticesOf([{ message: null, ticket }])).toMatchObject([{ kind: 'ticket', count: 1 }]);
  });
});

describe('what a colleague hands over', () => {
  const mine = arrival({ status: 'open', userId: 7, handedOver: true, handedOverById: 8 }).ticket;
  const update = (kind: string, ticket: Ticket) =>
    ({ action: 'update', ticket, event: { id: 4, kind, note: 'Urgente' } }) as LiveEvent<'ticket'>;

  test('is told of, whether it was transferred, returned or opened again', () => {
    for (const kind of ['transferred', 'returned', 'reopened']) {
      const told = handedOver(update(kind, mine), user.id);
      expect(told).toMatchObject({ message: null, activity: { kind, note: 'Urgente' } });
      expect(told && concerns(told, user)).toBe(true);
    }
  });

  test('but not to who did it, nor when it came back to who had it', () => {
    expect(handedOver(update('transferred', mine), 8)).toBeNull();
    const taken = { ...mine, handedOver: false, handedOverById: null };
    expect(handedOver(update('transferred', taken), user.id)).toBeNull();
    expect(handedOver(update('accepted', mine), user.id)).toBeNull();
  });

  test('is one notice, before the message that came with it', () => {
    const given = { message: null, ticket: mine, activity: { kind: 'transferred' } } as Arrival;
    const [notice] = noticesOf([given, arrival({}, false, 9)]);
    expect(notice).toMatchObject({ arrival: { activity: { kind: 'transferred' } } });
  });

  test('all at once are counted as conversations, not as messages', () => {
    const many = Array.from({ length: MOST_AT_ONCE + 1 }, (_, id) => ({
      ...arrival({ id }),
      message: null,
    }));
    expect(noticesOf(many)).toEqual([{ kind: 'summary', messages: 0, tickets: 4 }]);
  });
});

describe('what is shown', () => {
  test('one notice for a ticket, with its newest message', () => {
    const notices = noticesOf([arrival({}, false, 1), arrival({}, false, 2), arrival({ id: 2 })]);
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatchObject({ kind: 'ticket', count: 2, arrival: { message: { id: 2 } } });
  });

  test('a burst is one notice', () => {
    const many = Array.from({ length: MOST_AT_ONCE + 1 }, (_, id) => arrival({ id }));
    expect(noticesOf(many)).toEqual([{ kind: 'summary', messages: 4, tickets: 4 }]);
    expect(noticesOf([])).toEqual([]);
  });
});

test('the windows that close after now are those of the tickets that are read', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  const at = (lastInboundAt: string | null) => ({ id: 1, lastInboundAt }) as Ticket;
  const told = closingOf([at('2026-11-29T12:40:00Z'), at('2026-11-29T12:00:00Z'), at(null)], now);
  expect(told.map(({ closesAt }) => closesAt)).toEqual(['2026-11-30T12:40:00.000Z']);
});

test('who is mentioned in a note is told of it, whoever holds the ticket', () => {
  const ticket = arrival({ status: 'open', userId: 8, queueId: 4 }).ticket;
  const note = { id: 5, kind: 'noted', note: '@você pode ver?' } as Arrival['activity'] & object;
  const told = mentioned({ note, ticket });
  expect(concerns(told, user)).toBe(true);
  expect(noticesOf([told])).toMatchObject([{ kind: 'ticket', arrival: { activity: { id: 5 } } }]);
});

test('who follows a ticket is told of its changes, once for each ticket', () => {
  const ticket = arrival({ status: 'closed', userId: 8, queueId: 4 }).ticket;
  const event = { id: 6, kind: 'resolved', actorName: 'Bia' } as Parameters<
    typeof changed
  >[0]['event'];
  const told = changed({ action: 'changed', ticket, event });
  expect(concerns(told, user)).toBe(true);
  expect(noticesOf([told, told])).toMatchObject([{ arrival: { isFollowed: true } }]);
});
