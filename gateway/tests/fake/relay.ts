import { getBinaryNodeChild, getBinaryNodeChildren, isJidGroup, isLidUser } from 'baileys';
import type { BinaryNode } from 'baileys';
import type { Directory } from './answers.js';
import type { Device } from './device.js';

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}

/**
 * Hand the parts of a message to the linked devices that they are encrypted for. Nothing is
 * decrypted: each device gets its own part, and in a group the common one.
 */
export async function relayMessage(
  from: Device,
  node: BinaryNode,
  directory: Directory,
): Promise<void> {
  const { id = '', to = '', type = 'text', participant } = node.attrs;
  const isGroup = isJidGroup(to) ?? false;
  const parts = new Map<Device, BinaryNode[]>();
  const give = (jid: string, content: BinaryNode['content']) => {
    const device = directory.deviceAt(jid);
    if (!device || device.owner === from.owner || !Array.isArray(content)) return;
    parts.set(device, [...(parts.get(device) ?? []), ...content]);
  };
  for (const { attrs, content } of getBinaryNodeChildren(
    getBinaryNodeChild(node, 'participants'),
    'to',
  )) {
    give(attrs.jid ?? '', content);
  }
  const common = getBinaryNodeChildren(node, 'enc');
  if (common.length > 0) {
    const members = directory.membersOf(to).flatMap((member) => directory.devicesOf(member));
    // A message that is sent again goes to one device alone, also in a group.
    const receivers = participant ? [participant] : isGroup ? members.map(({ jid }) => jid) : [to];
    for (const jid of receivers) give(jid, common);
  }
  const { jid, lid, owner } = from;
  const sender: Record<string, string> = isGroup
    ? { from: to, participant: jid, participant_lid: owner.lid }
    : isLidUser(to)
      ? { from: lid, sender_pn: owner.jid }
      : { from: jid, sender_lid: owner.lid };
  const attrs = { id, t: now(), type, notify: owner.name, ...sender };
  for (const [device, content] of parts) await device.hand({ tag: 'message', attrs, content });
}

/** Hand a receipt to the device that sent the message; one without a device goes to all. */
export async function relayReceipt(
  from: Device,
  { attrs, content }: BinaryNode,
  directory: Directory,
): Promise<void> {
  const { id = '', to = '', type = '', participant } = attrs;
  const author = participant ?? to;
  const exact = directory.deviceAt(author);
  const person = directory.find(author);
  const receivers = exact ? [exact] : person ? directory.devicesOf(person) : [];
  const sender: Record<string, string> = isJidGroup(to)
    ? { from: to, participant: from.jid }
    : { from: isLidUser(to) ? from.lid : from.jid };
  const told = { id, t: now(), ...(type ? { type } : {}), ...sender };
  for (const device of receivers) {
    if (device.owner === from.owner) continue;
    await device.hand({ tag: 'receipt', attrs: told, ...(content ? { content } : {}) });
  }
}
