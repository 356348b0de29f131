import { createHash } from 'node:crypto';
import { generateWAMessage } from 'baileys';
import type {
  AnyMessageContent,
  BinaryNode,
  MiscMessageGenerationOptions,
  WAMessage,
  WAMessageKey,
  WASocket,
} from 'baileys';
import { silentLogger } from './logging.js';
import { uploader } from './media.js';
import { isFinalRefusal } from './receipts.js';
import type { Given } from './refusals.js';
import { Refusal } from './refusals.js';
import type { Session } from './session.js';

const ANSWER_TIMEOUT_MS = 20_000;

/** Converts a command's message key to Baileys' form, with the addresses that WhatsApp uses. */
export async function messageKey({ addresses }: Session, given: Given): Promise<WAMessageKey> {
  const chat = await addresses.of(given.text('chat'));
  const participant = given.optionalText('participant');
  return {
    remoteJid: chat,
    id: given.text('id'),
    fromMe: given.flag('fromMe'),
    ...(participant ? { participant: await addresses.memberOf(chat, participant) } : {}),
  };
}

/** The quoted message; WhatsApp shows the quoted text as we send it. */
async function quoted(
  session: Session,
  given: Given | null,
): Promise<MiscMessageGenerationOptions> {
  if (!given) return {};
  const message = { conversation: given.optionalText('body') };
  return { quoted: { key: await messageKey(session, given), message } };
}

/**
 * The id that the server gave, or one derived from the edit or deletion, so that a repetition has
 * the same id.
 */
function idOf(given: Given): string {
  const id = given.optionalText('id');
  const target = given.part('message')?.text('id');
  if (id || !target) return id || given.text('id');
  const text = `${target} ${given.optionalText('body')}`;
  return `3EB0${createHash('sha256').update(text).digest('hex').slice(0, 18).toUpperCase()}`;
}

const running = new WeakMap<Session, Map<string, Promise<void>>>();

/**
 * Send one message with the id that the server gave it; resolves when WhatsApp has accepted it.
 *
 * A second call with the same id during the first one shares its result. If the connection ends
 * before the answer, the outcome is unknown: the server retries with the same id, by which WhatsApp
 * and the recipient's phone detect the duplicate.
 */
export async function send(
  session: Session,
  socket: WASocket,
  given: Given,
  content: AnyMessageContent,
  mediaUrl = '',
): Promise<string> {
  const id = idOf(given);
  const under = running.get(session) ?? new Map<string, Promise<void>>();
  running.set(session, under);
  const already = under.get(id);
  const sending = already ?? relay(session, socket, given, content, mediaUrl);
  if (!already) under.set(id, sending);
  try {
    await sending;
    return id;
  } finally {
    under.delete(id);
  }
}

async function relay(
  session: Session,
  socket: WASocket,
  given: Given,
  content: AnyMessageContent,
  mediaUrl: string,
): Promise<void> {
  const to = await session.addresses.of(given.text('to'));
  const message = await generateWAMessage(to, content, {
    userJid: socket.user?.id ?? '',
    logger: silentLogger,
    messageId: idOf(given),
    upload: uploader(socket, mediaUrl),
    ...(await quoted(session, given.part('replyTo'))),
  });
  session.sent.keep(idOf(given), message.message ?? {});
  await relayed(socket, to, message, attributes(content));
}

/**
 * Further attributes of the frame: edit 1 is an edit, 7 deletes an own message, 8 another's in a
 * group.
 */
function attributes(content: AnyMessageContent): Record<string, string> {
  if ('edit' in content && content.edit) return { edit: '1' };
  if ('delete' in content) return { edit: content.delete.fromMe ? '7' : '8' };
  return {};
}

async function relayed(
  socket: WASocket,
  to: string,
  message: WAMessage,
  additionalAttributes: Record<string, string>,
): Promise<void> {
  const id = message.key.id ?? '';
  const answer = answered(socket, id);
  // The first failure is reported; a later rejection is ignored.
  answer.taken.catch(() => undefined);
  try {
    await socket.relayMessage(to, message.message ?? {}, { messageId: id, additionalAttributes });
    const error = (await answer.taken).attrs.error;
    if (error) {
      throw new Refusal(422, `WHATSAPP_${error}`, 'WhatsApp refused the message.', {
        permanent: isFinalRefusal(error),
      });
    }
  } finally {
    answer.stop();
  }
}

/** Waits for WhatsApp's answer to the message with this id. */
function answered(socket: WASocket, id: string): { taken: Promise<BinaryNode>; stop: () => void } {
  let stop = () => {
    // Replaced below, synchronously.
  };
  const taken = new Promise<BinaryNode>((resolve, reject) => {
    const unknown = () => {
      const more = { outcomeUnknown: true };
      reject(new Refusal(504, 'ERR_NO_ANSWER', 'WhatsApp did not answer in time.', more));
    };
    const hear = (node: BinaryNode) => {
      if (node.attrs.id === id) resolve(node);
    };
    const timer = setTimeout(unknown, ANSWER_TIMEOUT_MS);
    socket.ws.on('CB:ack,class:message', hear);
    socket.ev.on('connection.update', ended);
    function ended({ connection }: { connection?: string }) {
      if (connection === 'close') unknown();
    }
    stop = () => {
      clearTimeout(timer);
      socket.ws.off('CB:ack,class:message', hear);
      socket.ev.off('connection.update', ended);
    };
  });
  return { taken, stop };
}
