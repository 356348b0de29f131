import {
  encodeBigEndian,
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  KEY_BUNDLE_TYPE,
} from 'baileys';
import type { BinaryNode } from 'baileys';
import type { Device } from './device.js';
import type { Bundle, Person } from './person.js';

/** Who there is, as WhatsApp looks them up. */
export interface Directory {
  find: (jid: string) => Person | null;
  devicesOf: (person: Person) => Device[];
  /** The linked device with exactly this address. */
  deviceAt: (jid: string) => Device | null;
  /** The path of somebody's picture, '' for none. */
  pictureOf: (jid: string) => string;
  subjectOf: (group: string) => string;
  membersOf: (group: string) => Person[];
}

function node(tag: string, attrs: Record<string, string> = {}, content?: BinaryNode['content']) {
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

/** What WhatsApp answers to an `<iq>` of a linked device. */
export async function answerTo(
  iq: BinaryNode,
  device: Device | null,
  directory: Directory,
): Promise<BinaryNode> {
  const { id = '', to = 's.whatsapp.net', xmlns, type } = iq.attrs;
  const attrs = { id, from: to, type: 'result' };
  const [child] = getAllBinaryNodeChildren(iq);
  const result = (content?: BinaryNode[]): BinaryNode => node('iq', attrs, content);

  if (xmlns === 'encrypt' && type === 'set' && device) {
    keepKeys(iq, device);
    return result();
  }
  if (xmlns === 'encrypt' && child?.tag === 'count') {
    return result([node('count', { value: String(device?.preKeys.length ?? 0) })]);
  }
  if (xmlns === 'encrypt' && child?.tag === 'digest') return result([node('digest')]);
  if (xmlns === 'encrypt' && child?.tag === 'key') {
    return result([node('list', {}, await bundles(child, directory))]);
  }
  if (xmlns === 'usync' && child) return result([usync(child, directory)]);
  if (xmlns === 'w:profile:picture') {
    const path = directory.pictureOf(iq.attrs.target ?? '');
    const none = node('error', { code: '404', text: 'item-not-found' });
    if (!path) return node('iq', { ...attrs, type: 'error' }, [none]);
    const url = `https://pps.whatsapp.net${path}?oh=a-permission`;
    return result([node('picture', { id: '1', type: child?.attrs.type ?? '', url })]);
  }
  if (xmlns === 'blocklist') return result([node('list', {}, [])]);
  if (xmlns === 'privacy') {
    const all = node('category', { name: 'readreceipts', value: 'all' });
    return result([node('privacy', {}, [all])]);
  }
  if (xmlns === 'w:m') {
    const host = node('host', { hostname: 'media.invalid' });
    return result([node('media_conn', { auth: 'auth', ttl: '3600' }, [host])]);
  }
  if (xmlns === 'w:sync:app:state') {
    // No settings of other devices: each collection is as new as asked.
    const asked = getBinaryNodeChildren(child, 'collection');
    const same = asked.map(({ attrs: { name = '' } }) =>
      node('collection', { name, version: '0' }),
    );
    return result([node('sync', {}, same)]);
  }
  if (xmlns === 'w:g2' && child?.tag === 'query') {
    const members = directory.membersOf(to).map(({ jid }) => node('participant', { jid }));
    const group = { id: to.split('@')[0] ?? '', subject: directory.subjectOf(to), creation: '1' };
    return result([node('group', { ...group, addressing_mode: 'pn' }, members)]);
  }
  return result();
}

function keepKeys(iq: BinaryNode, device: Device): void {
  const list = getBinaryNodeChild(iq, 'list');
  for (const key of getBinaryNodeChildren(list, 'key')) {
    const keyId = Buffer.from(getBinaryNodeChild(key, 'id')?.content as Uint8Array).readUIntBE(
      0,
      3,
    );
    const publicKey = getBinaryNodeChild(key, 'value')?.content as Uint8Array;
    device.preKeys.push({ keyId, publicKey });
  }
}

async function bundles(child: BinaryNode, directory: Directory): Promise<BinaryNode[]> {
  const found: BinaryNode[] = [];
  for (const { attrs } of getBinaryNodeChildren(child, 'user')) {
    const { jid = '' } = attrs;
    const device = directory.deviceAt(jid);
    const person = directory.find(jid);
    if (device) found.push(bundleNode(jid, device.bundle()));
    else if (person) found.push(await person.bundle(jid));
  }
  return found;
}

function bundleNode(jid: string, bundle: Bundle): BinaryNode {
  const { registrationId, identityKey, signedPreKey, preKey } = bundle;
  const key = (
    tag: string,
    { keyId, publicKey }: NonNullable<Bundle['preKey']>,
    more: BinaryNode[],
  ) =>
    node(tag, {}, [
      node('id', {}, encodeBigEndian(keyId, 3)),
      node('value', {}, publicKey),
      ...more,
    ]);
  return node('user', { jid }, [
    node('registration', {}, encodeBigEndian(registrationId)),
    node('type', {}, KEY_BUNDLE_TYPE),
    node('identity', {}, identityKey),
    key('skey', signedPreKey, [node('signature', {}, signedPreKey.signature)]),
    ...(preKey ? [key('key', preKey, [])] : []),
  ]);
}

function usync(child: BinaryNode, directory: Directory): BinaryNode {
  const asked = getBinaryNodeChildren(getBinaryNodeChild(child, 'list'), 'user');
  const users = asked.map((user) => {
    const contact = getBinaryNodeChild(user, 'contact');
    const said = contact ? Buffer.from(contact.content as Uint8Array).toString() : '';
    const number = said.replace(/\D/g, '');
    const jid = user.attrs.jid ?? `${number}@s.whatsapp.net`;
    const person = directory.find(jid);
    if (!person) return node('user', { jid }, [node('contact', { type: 'out' })]);
    const ids = new Set([0, ...directory.devicesOf(person).map((device) => device.number)]);
    const devices = [...ids].map((id) =>
      node('device', { id: String(id), ...(id ? { 'key-index': '1' } : {}) }),
    );
    return node('user', { jid: user.attrs.jid ?? person.jid }, [
      node('devices', {}, [node('device-list', {}, devices)]),
      node('lid', { val: person.lid }),
      node('contact', { type: 'in' }),
    ]);
  });
  const { sid = '', index = '0' } = child.attrs;
  return node('usync', { sid, index, last: 'true' }, [node('list', {}, users)]);
}
