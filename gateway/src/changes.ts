import type { GatewayEvent, Json, JsonObject, KeyValues } from './contract.js';

/** The contents of one write to the server, stored all or nothing. */
export interface Changes {
  credentials?: Json;
  keys?: KeyValues;
  events?: GatewayEvent[];
}

/** The size of changes, in the units of the server's limits. */
export interface Amount {
  keys: number;
  events: number;
  bytes: number;
}

// docs/gateway.md §3: 2,000 keys, 200 events and 8 MB in one call.
export const MOST_KEYS = 2000;
const MOST_EVENTS = 200;
const MOST_BYTES = 6 * 1024 * 1024;

export function amountOf({ credentials, keys = {}, events = [] }: Changes): Amount {
  return {
    keys: Object.values(keys).reduce((sum, values) => sum + Object.keys(values).length, 0),
    events: events.length,
    bytes: bytesOf({ credentials, keys, events }),
  };
}

/** Whether the changes exceed the limits of one call. */
export function isTooMuch({ keys, events, bytes }: Amount): boolean {
  return keys > MOST_KEYS || events > MOST_EVENTS || bytes > MOST_BYTES;
}

/**
 * Splits changes into parts that fit into one call each, to be stored in this order.
 *
 * Events come before keys. If a failure leaves the keys unstored, WhatsApp delivers the message
 * again and its id identifies the duplicate. Keys stored without their message would lose it.
 */
export function parts(changes: Changes): Changes[] {
  if (!isTooMuch(amountOf(changes))) return [changes];
  const { credentials, keys = {}, events = [] } = changes;
  const told = chunks(events, MOST_EVENTS).map((chunk): Changes => ({ events: chunk }));
  const entries = Object.entries(keys).flatMap(([type, values]) =>
    Object.entries(values).map(([id, value]) => ({ type, id, value })),
  );
  const kept = chunks(entries, MOST_KEYS).map((chunk): Changes => {
    const part: KeyValues = {};
    for (const { type, id, value } of chunk) (part[type] ??= {})[id] = value;
    return { keys: part };
  });
  return [...told, ...kept, ...(credentials === undefined ? [] : [{ credentials }])];
}

/** The fallbacks to try if the server refuses changes, with ever less of their events. */
export function lesserForms({ events = [], ...rest }: Changes): Changes[] {
  if (events.length === 0) return [];
  const told = events.map((event) => (event.kind === 'message' ? unknown(event) : event));
  const messages = told.filter(({ kind }) => kind === 'message');
  return [
    { ...rest, events: told },
    ...(messages.length ? [{ ...rest, events: messages }] : []),
    rest,
  ];
}

/** Reduces a message event to the fact that a message came, from whom and when. */
function unknown(event: GatewayEvent): GatewayEvent {
  const { externalId, chat, sender, fromMe, sentAt, isHistory } = event.payload;
  const payload: JsonObject = {
    externalId,
    chat,
    sender: { ...(sender as JsonObject), name: '' },
    fromMe,
    sentAt,
    isHistory,
    type: 'unknown',
    body: 'unknown',
    raw: {},
  };
  return { ...event, payload };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function chunks<T>(all: T[], most: number): T[][] {
  const found: T[][] = [];
  let bytes = 0;
  for (const one of all) {
    const size = bytesOf(one);
    const last = found.at(-1);
    if (last && last.length < most && bytes + size <= MOST_BYTES) {
      last.push(one);
      bytes += size;
    } else {
      found.push([one]);
      bytes = size;
    }
  }
  return found;
}
