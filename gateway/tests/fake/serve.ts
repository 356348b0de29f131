/**
 * The fake WhatsApp as a program, for tests in other languages: it prints one line of JSON, where it
 * answers, and takes calls `POST /<name>` with a JSON body until its input ends.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { proto } from 'baileys';
import type { Person } from './person.js';
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
}

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

const calls: Record<string, (call: Call) => unknown> = {
  /** Make a person known, who can be written to. */
  person: (call) => personOf(call).jid,
  scan: (call) => whatsapp.scan(call.qr, personOf(call)),
  /** Returns the message's id. */
  write: (call) => {
    const message = { conversation: call.text };
    return whatsapp.write(personOf(call), deviceOf(call.to), message);
  },
  /** What came to a person: id, text and how often it arrived. */
  inbox: (call) => {
    const { inbox, arrivals } = personOf(call);
    return [...inbox].map(([id, message]) => ({
      id,
      text: textOf(message),
      arrivals: arrivals.get(id),
    }));
  },
  receipt: (call) => whatsapp.receipt(personOf(call), deviceOf(call.to), call.id, call.type),
  /** The ids of messages for which the shop's device sent a read receipt. */
  read: (call) =>
    deviceOf(call.to)
      .receipts.filter(({ type }) => type === 'read')
      .map(({ id }) => id),
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
