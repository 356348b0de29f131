import type { WASocket } from 'baileys';
import type { CommitQueue } from './commits.js';

type Callback = (error?: Error) => void;

/** The part of the `ws` WebSocket that we intercept. */
interface RawSocket {
  send: (data: Uint8Array, done: Callback) => void;
  terminate: () => void;
}

/** Returns the web socket below Baileys' own client. */
export function rawSocket(socket: WASocket): RawSocket | null {
  return (socket.ws as unknown as { socket: RawSocket | null }).socket;
}

/**
 * Intercept all outgoing frames. A frame is sent, in order, after all earlier writes are stored,
 * and only while this process owns the session.
 *
 * Therefore an acknowledgement means that the message is stored, and a ciphertext means that its
 * ratchet is stored. A process that was suspended sends nothing to WhatsApp when it resumes.
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
