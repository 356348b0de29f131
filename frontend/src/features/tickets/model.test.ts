/** Stale lists + events = fresh lists, for any sequence of what happens in a company. */
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '@/lib/api/types';
import { foldText } from '@/lib/search';
import { PAGE_SIZE } from './api';
import { applyMessageEvent, applyRelated, applyTicketEvent } from './events';
import { ticketsOf } from './fold';
import type { Reader, Ticket, TicketFilters, TicketPages } from './types';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A small deterministic random number generator. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  return {
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
    chance: (share: number) => next() < share,
  };
}

type Audience = string;
const NAMES = ['Ana Prado', 'José Maria', 'Zoé', 'Paula'];
const WORDS = ['bom dia', 'o orçamento', 'a entrega', 'zoé chegou', 'ok'];
const TAGS = [1, 2];
const QUEUES = [1, 2, 3];
const USERS = [7, 8];

const READERS: Record<string, Reader> = {
  agent: { userId: 7, queues: [1, 2], isAdmin: false, seesAll: false },
  spy: { userId: 7, queues: [1], isAdmin: false, seesAll: true },
  admin: { userId: 7, queues: [2], isAdmin: true, seesAll: true },
};

const LISTS: TicketFilters[] = [
  { status: 'open', showAll: false, queues: [] },
  { status: 'pending', showAll: false, queues: [] },
  { status: 'closed', showAll: false, queues: [] },
  { status: 'open', showAll: true, queues: [] },
  { status: 'pending', showAll: true, queues: [0, 2] },
  { status: 'pending', showAll: false, queues: [1] },
  { status: 'open', showAll: false, queues: [2] },
  { status: 'open', showAll: true, queues: [], tags: [1] },
  { status: 'open', showAll: true, queues: [], tags: [1, 2] },
  { status: 'open', showAll: true, queues: [], users: [8] },
  { status: 'pending', showAll: true, queues: [], unread: true },
  { showAll: true, queues: [], search: 'zoé' },
  { showAll: false, queues: [], search: 'orcamento' },
  { showAll: true, queues: [], tags: [2], search: 'entrega' },
];

/**
 * A second implementation of the server's behaviour from rules/tickets §9 and rules/realtime §4.
 */
class Company {
  readonly tickets = new Map<number, Ticket>();
  readonly said = new Map<number, { id: number; body: string }[]>();
  private clock = 0;
  private ids = 0;

  constructor(
    private readonly client: QueryClient,
    private readonly reader: Reader,
    private readonly random: ReturnType<typeof randomOf>,
  ) {}

  private now() {
    this.clock += 1;
    return new Date(1_760_000_000_000 + this.clock * 1000).toISOString();
  }

  private audiencesOf({ queueId, userId }: Ticket): Audience[] {
    return ['all', `queue-${queueId}`, `user-${userId}`];
  }

  private hears(audiences: Audience[]): boolean {
    const { seesAll, userId, queues } = this.reader;
    const own = seesAll ? ['all'] : [`user-${userId}`, ...queues.map((id) => `queue-${id}`)];
    return own.some((each) => audiences.includes(each));
  }

  private change(ticket: Ticket, part: Partial<Ticket>, moves = true) {
    const before = this.audiencesOf(ticket);
    const oldStatus = ticket.status;
    const changed = { ...ticket, ...part, ...(moves && { updatedAt: this.now() }) };
    this.tickets.set(changed.id, changed);
    const now = this.audiencesOf(changed);
    const left = oldStatus === changed.status ? before.filter((a) => !now.includes(a)) : before;
    if (this.hears(left)) this.tell({ action: 'delete', ticketId: ticket.id, oldStatus });
    if (this.hears(now)) this.tell({ action: 'update', ticket: changed });
  }

  private tell(event: Parameters<typeof applyTicketEvent>[1]) {
    applyTicketEvent(this.client, event, this.reader);
  }

  private write(ticket: Ticket) {
    const message = { id: ++this.ids, body: this.random.pick(WORDS) };
    const changed = {
      ...ticket,
      unreadMessages: ticket.unreadMessages + 1,
      lastMessage: message.body,
      lastMessageId: message.id,
      updatedAt: this.now(),
    };
    this.tickets.set(ticket.id, changed);
    this.said.set(ticket.id, [...(this.said.get(ticket.id) ?? []), message]);
    if (!this.hears(this.audiencesOf(changed))) return;
    const told = { ...message, ticketId: ticket.id, ack: 0, isDeleted: false };
    applyMessageEvent(
      this.client,
      { action: 'create', message: told, ticket: changed } as LiveEvent<'appMessage'>,
      this.reader,
    );
  }

  private arrive() {
    const id = ++this.ids;
    const queueId = this.random.pick([...QUEUES, null]);
    const ticket = {
      id,
      uuid: `uuid-${id}`,
      status: 'pending',
      userId: null,
      queueId,
      queue: queueId && { id: queueId, name: `Fila ${queueId}`, color: '#123456' },
      contactId: id,
      contact: { id, name: this.random.pick(NAMES), number: `55119${id}`, email: '' },
      whatsappId: 1,
      whatsapp: { id: 1, name: 'Loja' },
      unreadMessages: 0,
      handedOver: false,
      handedOverById: null,
      tags: [] as Ticket['tags'],
      updatedAt: this.now(),
    } as unknown as Ticket;
    this.tickets.set(id, ticket);
    if (this.hears(this.audiencesOf(ticket))) this.tell({ action: 'update', ticket });
    this.write(ticket);
  }

  private renameRelated(ticket: Ticket) {
    const change = this.random.pick([
      { kind: 'contact', id: ticket.contactId, now: { name: this.random.pick(NAMES) } },
      { kind: 'queue', id: 2, now: { name: `Fila ${this.random.pick(NAMES)}`, color: '#fff' } },
      { kind: 'connection', id: 1, now: { name: this.random.pick(NAMES) } },
    ] as const);
    for (const each of this.tickets.values()) {
      const changed = { ...each };
      if (change.kind === 'contact' && each.contactId === change.id)
        changed.contact = { ...each.contact, ...change.now };
      if (change.kind === 'queue' && each.queueId === change.id)
        changed.queue = { id: change.id, ...change.now };
      if (change.kind === 'connection' && each.whatsapp)
        changed.whatsapp = { ...each.whatsapp, ...change.now };
      this.tickets.set(each.id, changed);
    }
    // The event carries the whole contact.
    const whole =
      change.kind === 'contact' ? { ...change, now: { ...ticket.contact, ...change.now } } : change;
    applyRelated(this.client, whole, this.reader);
  }

  private dropRelated() {
    const change = this.random.pick([
      { kind: 'queue', id: 3, now: null },
      { kind: 'tag', id: 2, now: null },
    ] as const);
    for (const each of this.tickets.values()) {
      const changed = { ...each };
      if (change.kind === 'queue' && each.queueId === change.id)
        Object.assign(changed, { queueId: null, queue: null });
      if (change.kind === 'tag') changed.tags = each.tags.filter(({ id }) => id !== change.id);
      this.tickets.set(each.id, changed);
    }
    applyRelated(this.client, change, this.reader);
  }

  step() {
    const { random } = this;
    if (this.tickets.size === 0 || random.chance(0.15)) {
      this.arrive();
      return;
    }
    const ticket = random.pick([...this.tickets.values()]);
    const userId = random.pick(USERS);
    const open = { status: 'open', userId, unreadMessages: 0 } as const;
    const queueId = random.pick(QUEUES);
    const queue = { id: queueId, name: `Fila ${queueId}`, color: '#123456' };
    const tag = { id: random.pick(TAGS), name: 'Tag', color: '#654321', kanban: 0 };
    const has = ticket.tags.some(({ id }) => id === tag.id);
    const steps: (() => void)[] = [
      () => this.write(ticket),
      () => this.write(ticket),
      () => this.change(ticket, open),
      () => this.change(ticket, { status: 'pending', userId: null }),
      () => this.change(ticket, { status: 'closed', userId }),
      () => this.change(ticket, { status: 'pending', userId: null, queueId, queue }),
      () => this.change(ticket, { ...open, queueId, queue }),
      () =>
        this.change(
          ticket,
          { tags: has ? ticket.tags.filter(({ id }) => id !== tag.id) : [...ticket.tags, tag] },
          false,
        ),
      () => {
        this.tickets.set(ticket.id, { ...ticket, unreadMessages: 0 });
        if (this.hears(this.audiencesOf(ticket)))
          this.tell({ action: 'updateUnread', ticketId: ticket.id });
      },
      () => this.renameRelated(ticket),
    ];
    if (random.chance(0.2))
      steps.push(
        () => {
          this.tickets.delete(ticket.id);
          if (this.hears(this.audiencesOf(ticket)))
            this.tell({ action: 'delete', ticketId: ticket.id });
        },
        () => this.dropRelated(),
      );
    random.pick(steps)();
  }

  /** The list as the server returns it now, with the matching message of a search. */
  fresh(filters: TicketFilters): Ticket[] {
    const { userId, queues, isAdmin, seesAll } = this.reader;
    const isAsked = (id: number | null) =>
      filters.queues.length === 0 || filters.queues.includes(id ?? 0);
    const rows = [...this.tickets.values()].filter((ticket) => {
      const asked = isAsked(ticket.queueId);
      const isOwn = ticket.queueId !== null && queues.includes(ticket.queueId);
      const waits =
        ticket.status === 'pending' && asked && (isOwn || (isAdmin && ticket.queueId === null));
      const isNarrowed = filters.queues.length > 0;
      const mine = ticket.userId === userId && (!isNarrowed || (asked && (isAdmin || isOwn)));
      const inScope =
        filters.showAll && seesAll
          ? asked
          : filters.status === 'pending'
            ? waits
            : filters.status
              ? mine
              : mine || waits;
      return (
        inScope &&
        (!filters.status || ticket.status === filters.status) &&
        (filters.tags ?? []).every((id) => ticket.tags.some((tag) => tag.id === id)) &&
        (!filters.users?.length || filters.users.includes(ticket.userId ?? 0)) &&
        (!filters.unread || ticket.unreadMessages > 0)
      );
    });
    const found =
      filters.search === undefined ? rows : rows.flatMap((row) => this.found(row, filters));
    return found.sort((left, right) => right.updatedAt.localeCompare(left.updatedAt));
  }

  private found(ticket: Ticket, { search = '' }: TicketFilters): Ticket[] {
    const term = foldText(search);
    if (foldText(ticket.contact.name).includes(term)) return [{ ...ticket, match: null }];
    const line = (this.said.get(ticket.id) ?? []).findLast(({ body }) =>
      foldText(body).includes(term),
    );
    return line ? [{ ...ticket, match: { messageId: line.id, body: line.body } }] : [];
  }
}

function pagesOf(tickets: Ticket[], pageCount: number): TicketPages {
  const count = tickets.length;
  const pages = Array.from({ length: pageCount }, (_, page) => ({
    tickets: tickets.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    count,
    hasMore: count > (page + 1) * PAGE_SIZE,
  }));
  return { pages, pageParams: pages.map((_, page) => page + 1) };
}

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

test.each(Object.keys(READERS).flatMap((name) => SEEDS.map((seed) => [name, seed] as const)))(
  'the lists of the %s stay as the server has them (sequence %i)',
  (name, seed) => {
    const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });
    const reader = READERS[name] as Reader;
    const random = randomOf(seed);
    const company = new Company(client, reader, random);
    const isLarge = seed % 4 === 0;
    for (let count = 0; count < (isLarge ? 260 : 30); count++) company.step();
    const load = (filters: TicketFilters) =>
      client.setQueryData(['tickets', 'list', filters], pagesOf(company.fresh(filters), 1));
    LISTS.forEach(load);
    for (let count = 0; count < 60; count++) {
      company.step();
      vi.advanceTimersByTime(600);
      for (const filters of LISTS) {
        const state = client.getQueryState<TicketPages>(['tickets', 'list', filters]);
        if (!state?.data) throw new Error('the list is gone');
        // Lists that only the server can decide are fetched again.
        if (state.isInvalidated) {
          load(filters);
          continue;
        }
        const shown = ticketsOf(state.data);
        const fresh = company.fresh(filters);
        const isWhole = !state.data.pages.at(-1)?.hasMore;
        expect(shown, JSON.stringify(filters)).toEqual(
          isWhole ? fresh : fresh.slice(0, shown.length),
        );
        if (isWhole) expect(state.data.pages[0]?.count).toBe(fresh.length);
      }
    }
  },
);
