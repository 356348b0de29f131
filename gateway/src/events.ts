import { createHash } from 'node:crypto';
import type { GatewayEvent, JsonObject, NamedPerson } from './contract.js';

const LONGEST_ID = 200;

/** Makes an event id from text that others chose: a sender can choose any message id. */
export function eventId(text: string): string {
  // eslint-disable-next-line no-control-regex -- the database takes no such characters
  if (text.length <= LONGEST_ID && !/[\u0000-\u001f]/.test(text)) return text;
  return `${text.slice(0, 2)}${createHash('sha256').update(text).digest('hex')}`;
}

/** The event that a number and a LID are one person. */
export function identityEvent(number: string, lidUser: string): GatewayEvent {
  const lid = `${lidUser}@lid`;
  return event('identity', `identity:${number}:${lid}`, lid, { number, lid });
}

/**
 * The event of the address book or a part of it; `id` is new each time, because the server may have
 * deleted the earlier contacts.
 */
export function contactsEvent(
  id: string,
  contacts: (NamedPerson & { isSaved: boolean })[],
): GatewayEvent {
  const payload = { contacts: contacts.map((contact) => ({ ...contact })) };
  return event('contacts', `contacts:${id}`, 'contacts', payload);
}

/** An event with the current time. */
export function event(
  kind: GatewayEvent['kind'],
  id: string,
  partition: string,
  payload: JsonObject,
): GatewayEvent {
  return { id, kind, partition, at: Date.now(), payload };
}
