/**
 * The fake WhatsApp as a program, for tests in other languages: it prints one line of JSON, where it
 * answers, and takes calls `POST /<name>` with a JSON body until its input ends.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getContentType, normalizeMessageContent, proto } from 'baileys';
import type { Person } from './person.js';
import { pollWith, voteOn } from './polls.js';
import { FakeWhatsApp, streamError } from './whatsapp.js';

interface Call {
  number: string;
  name: string;
  qr: string;
  /** The shop's number whose device is meant. */
  to: string;
  text: string;
  id: string;
  type: string;
  /** A file in base64, and what it is. */
  file: string;
  mime: string;
  emoji: string;
}

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
const FILES = {
  image: 'imageMessage',
  audio: 'audioMessage',
  document: 'documentMessage',
} as const;

const whatsapp = new FakeWhatsApp();

function personOf({ number, name }: Call): Person {
  return whatsapp.people.get(number) ?? whatsapp.person(number, name);
}

function deviceOf(number: string) {
  const device = whatsapp.devices.findLast(({ owner }) => owner.number === number);
  if (!device) throw new Error(`No device is linked to ${number}.`);
  return device;
}

function textOf(message: proto.IMessage): string {
  return message.conversation ?? message.extendedTextMessage?.text ?? '';
}

/** What somebody's phone shows of a message, and what it changes of another. */
async function shown(whole: proto.IMessage): Promise<Record<string, unknown>> {
  const message = normalizeMessageContent(whole) ?? whole;
  const { protocolMessage: change, reactionMessage: reaction } = message;
  if (reaction) return { reacts: reaction.key?.id, text: reaction.text };
  if (change?.type === REVOKE) return { deletes: change.key?.id };
  if (change?.type === MESSAGE_EDIT) {
    return { edits: change.key?.id, text: textOf(change.editedMessage ?? {}) };
  }
  for (const [kind, name] of Object.entries(FILES) as [keyof typeof FILES, 'imageMessage'][]) {
    const part = message[name];
    if (!part) continue;
    const file = (await whatsapp.opened(kind, part)).toString('base64');
    const isVoice = message.audioMessage?.ptt === true;
    return { kind, mime: part.mimetype, text: part.caption ?? '', isVoice, file };
  }
  return { kind: getContentType(message), text: textOf(message) };
}

/** The key by which somebody names a message: the shop's, or with `isOwn` one of theirs. */
function keyOf(call: Call, isOwn: boolean): proto.IMessageKey {
  return { remoteJid: `${call.to}@s.whatsapp.net`, fromMe: isOwn, id: call.id };
}

function written(call: Call, message: proto.IMessage): Promise<string> {
  return whatsapp.write(personOf(call), deviceOf(call.to), message);
}

const calls: Record<string, (call: Call) => unknown> = {
  /** Make a person known, who can be written to. */
  person: (call) => personOf(call).jid,
  /** Somebody shows a picture, `file`. */
  picture: (call) => {
    const path = `/v/${call.number}.jpg`;
    whatsapp.files.set(path, Buffer.from(call.file, 'base64'));
    whatsapp.pictures.set(personOf(call), path);
  },
  scan: (call) => whatsapp.scan(call.qr, personOf(call)),
  /** Returns the message's id. */
  write: (call) => written(call, { conversation: call.text }),
  /** A file of `type` (image, audio as a voice note, document) comes from somebody. */
  send: async (call) => {
    const kind = call.type as keyof typeof FILES;
    const file = await whatsapp.upload(kind, Buffer.from(call.file, 'base64'));
    const more = kind === 'audio' ? { ptt: true, seconds: 1 } : { caption: call.text };
    return written(call, { [FILES[kind]]: { ...file, mimetype: call.mime, ...more } });
  },
  /** Somebody changes, takes back or reacts to message `id`; the reaction is to one of the shop. */
  edit: (call) => {
    const editedMessage = { conversation: call.text };
    const key = keyOf(call, true);
    return written(call, { protocolMessage: { type: MESSAGE_EDIT, key, editedMessage } });
  },
  revoke: (call) => written(call, { protocolMessage: { type: REVOKE, key: keyOf(call, true) } }),
  /** A poll, a line each for question and options; on their own one they vote, a line each. */
  poll: (call) => {
    const [question = '', ...options] = call.text.split('\n');
    return written(call, pollWith(question, options));
  },
  vote: (call) => {
    const chosen = call.text ? call.text.split('\n') : [];
    const key = { id: call.id, remoteJid: `${call.to}@s.whatsapp.net`, fromMe: true };
    return written(call, voteOn(key, personOf(call).jid, personOf(call).jid, chosen));
  },
  react: (call) =>
    written(call, { reactionMessage: { key: keyOf(call, false), text: call.emoji } }),
  /** What came to a person, how often each arrived, and what it is. */
  inbox: async (call) => {
    const { inbox, arrivals } = personOf(call);
    return Promise.all(
      [...inbox].map(async ([id, message]) => ({
        id,
        arrivals: arrivals.get(id),
        ...(await shown(message)),
      })),
    );
  },
  receipt: (call) => whatsapp.receipt(personOf(call), deviceOf(call.to), call.id, call.type),
  /** The ids of messages for which the shop's device sent a read receipt. */
  read: (call) =>
    deviceOf(call.to)
      .receipts.filter(({ type }) => type === 'read')
      .map(({ id }) => id),
  /** Somebody rings, as call `id`. */
  ring: (call) => {
    const from = personOf(call).jid;
    const offer = {
      tag: 'offer',
      attrs: { 'call-id': call.id, 'call-creator': from },
      content: [],
    };
    const t = String(Math.floor(Date.now() / 1000));
    return deviceOf(call.to).hand({
      tag: 'call',
      attrs: { id: call.id, from, t },
      content: [offer],
    });
  },
  /** The ids of calls that were rejected. */
  rejected: () => whatsapp.rejectedCalls,
  /** Another login takes the device's place. */
  replace: (call) =>
    deviceOf(call.to).connection?.end(streamError('conflict', { type: 'replaced' })),
  /** WhatsApp can't be reached, or again. */
  down: (call) => {
    whatsapp.isDown = call.type === 'on';
    if (whatsapp.isDown) for (const { connection } of whatsapp.devices) connection?.cut();
  },
  /** Is the shop's device connected? */
  open: (call) => deviceOf(call.to).connection?.isOpen ?? false,
  /** How many devices somebody's phone has. */
  devices: (call) => whatsapp.devicesOf(personOf(call)).length,
  /** The phone removes the device. */
  unlink: async (call) => {
    const device = deviceOf(call.to);
    whatsapp.devices.splice(whatsapp.devices.indexOf(device), 1);
    await device.connection?.end(streamError('', { code: '401' }));
  },
};

const control = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const name = (request.url ?? '').slice(1);
    const answer = async () => {
      const call = calls[name];
      if (!call) throw new Error(`There is no call ${name}.`);
      return (await call(JSON.parse(Buffer.concat(parts).toString()) as Call)) ?? null;
    };
    answer().then(
      (told) => response.end(JSON.stringify(told)),
      (error: unknown) => {
        response.statusCode = 400;
        response.end(String(error));
      },
    );
  });
});

await whatsapp.start();
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
const { port } = control.address() as AddressInfo;
const { url, mediaUrl } = whatsapp;
console.log(JSON.stringify({ url, mediaUrl, control: `http://127.0.0.1:${port}` }));
process.stdin.on('end', () => process.exit(0)).resume();
