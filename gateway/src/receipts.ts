import { areJidsSameUser, getBinaryNodeChildren, isJidGroup } from 'baileys';
import type { BinaryNode } from 'baileys';
import type { GatewayEvent } from './contract.js';
import { event, eventId } from './events.js';
import { partitionOf, person, plain } from './jids.js';

/** The status that each receipt type means; other types say nothing about sent messages. */
const ACKS: Record<string, number> = { '': 3, inactive: 3, read: 4, played: 5 };

function step(
  node: BinaryNode,
  id: string,
  ack: number,
  participant: string,
  more: Record<string, string> = {},
): GatewayEvent {
  const { from, sender_lid: lid } = node.attrs;
  const at = Number(node.attrs.t ?? 0) || Math.floor(Date.now() / 1000);
  const partition = partitionOf(plain(from), person(from, lid));
  return event('status', eventId(`s:${id}:${participant}:${ack}`), partition, {
    externalId: id,
    ack,
    ...(participant ? { participant } : {}),
    ...more,
    at,
  });
}

/**
 * The status events that a `<receipt>` reports for our messages; none for receipts of our own
 * devices.
 */
export function receiptEvents(node: BinaryNode, me: readonly string[]): GatewayEvent[] {
  const { id, from, participant, recipient, type } = node.attrs;
  const ack = ACKS[type ?? ''];
  const who = participant ?? from;
  if (!id || !from || ack === undefined || recipient) return [];
  if (me.some((mine) => areJidsSameUser(mine, who))) return [];
  const more = (Array.isArray(node.content) ? node.content : []).flatMap((list) =>
    getBinaryNodeChildren(list, 'item').map((item) => item.attrs.id),
  );
  const inGroup = isJidGroup(from) ? plain(participant) : '';
  return [id, ...more].flatMap((one) => (one ? [step(node, one, ack, inGroup)] : []));
}

/** Temporary refusals: too many requests, an outdated device list, a server error. */
const PASSING_REFUSALS: ReadonlySet<number> = new Set([408, 425, 429, 479]);

/**
 * Whether WhatsApp would refuse the same message again. A value that is not a code counts as a
 * temporary error.
 */
export function isFinalRefusal(code: string): boolean {
  const number = Number(code);
  return number >= 400 && number < 500 && !PASSING_REFUSALS.has(number);
}

/** The event of a message that WhatsApp accepted or finally refused. */
export function acknowledgement(node: BinaryNode): GatewayEvent | null {
  const { id, error } = node.attrs;
  if (!id) return null;
  if (!error) return step(node, id, 2, '');
  // The command's answer reports it to the server, which retries with the same id.
  if (!isFinalRefusal(error)) return null;
  const sentence = `WhatsApp refused the message (${error}).`;
  return step(node, id, -1, '', { code: error, error: sentence });
}
