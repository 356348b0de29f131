import { createHash } from 'node:crypto';
import type { GatewayEvent, JsonObject, NamedPerson } from './contract.js';

const LONGEST_ID = 200;

/** An event's id out of what others chose: the sender names a message as it likes. */
export function eventId(text: string): string {
  // eslint-disable-next-line no-control-regex -- the database takes no such characters
  if (text.length <= LONGEST_ID && !/[\u0000-\u001f]/.test(text)) return text;
  return `${text.slice(0, 2)}${createHash('sha256').update(text).digest('hex')}`;
}

/** A number and a LID are one person. */
export function identityEvent(number: string, lidUser: string): GatewayEvent {
  const lid = `${lidUser}@lid`;
  return event('identity', `identity:${number}:${lid}`, lid, { number, lid });
}

/** The address book, or a part of it; `id` is new each time, as what was told may be forgotten. */
export function contactsEvent(
  id: string,
  contacts: (NamedPerson & { isSaved: boolean })[],
): GatewayEvent {
  const payload = { contacts: contacts.map((contact) => ({ ...contact })) };
  return event('contacts', `contacts:${id}`, 'contacts', payload);
}

/** An event of now. */
export function event(
  kind: GatewayEvent['kind'],
  id: string,
  partition: string,
  payload: JsonObject,
): GatewayEvent {
  return { id, kind, partition, at: Date.now(), payload };
}
