import type { WASocket } from 'baileys';
import type { CommitQueue } from './commits.js';

type Callback = (error?: Error) => void;

/** The part of `ws`' WebSocket that we stand in front of. */
interface RawSocket {
  send: (data: Uint8Array, done: Callback) => void;
  terminate: () => void;
}

/** The web socket below Baileys' own client. */
export function rawSocket(socket: WASocket): RawSocket | null {
  return (socket.ws as unknown as { socket: RawSocket | null }).socket;
}

/**
 * Stand before everything that goes to WhatsApp: a frame leaves, in order, when all that was written
 * before it is stored, and only while the session is ours.
 *
 * So an acknowledgement says that the message is stored, a ciphertext that the ratchet behind it is,
 * and a process that was frozen says nothing to WhatsApp when it wakes.
 */
export function holdFrames(socket: WASocket, commits: CommitQueue, isOurs: () => boolean): void {
  const raw = rawSocket(socket);
  if (!raw) throw new Error('The web socket is not there yet.');
  const send = raw.send.bind(raw);
  let queued = 0;
  let chain: Promise<void> = Promise.resolve();

  const leave = (data: Uint8Array, done: Callback) => {
    if (isOurs()) {
      send(data, done);
      return;
    }
    raw.terminate();
    done(new Error('The session is not ours any more.'));
  };

  raw.send = (data, done) => {
    if (queued === 0 && commits.isIdle) {
      leave(data, done);
      return;
    }
    queued += 1;
    chain = chain
      .then(() => commits.settled())
      .then(
        () => leave(data, done),
        () => done(new Error('What this frame follows from could not be stored.')),
      )
      .finally(() => {
        queued -= 1;
      });
  };
}
