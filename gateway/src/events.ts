import { createHash } from 'node:crypto';
import type { GatewayEvent, JsonObject, NamedPerson } from './contract.js';

/** A number and a LID are one person. */
export function identityEvent(number: string, lidUser: string): GatewayEvent {
  const lid = `${lidUser}@lid`;
  return event('identity', `identity:${number}:${lid}`, lid, { number, lid });
}

/** The address book, or a part of it; the same people make the same event. */
export function contactsEvent(contacts: (NamedPerson & { isSaved: boolean })[]): GatewayEvent {
  const payload = { contacts: contacts.map((contact) => ({ ...contact })) };
  const digest = createHash('sha256').update(JSON.stringify(payload)).digest('hex');
  return event('contacts', `contacts:${digest}`, 'contacts', payload);
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
