import { makeWASocket } from 'baileys';
import type { AuthenticationCreds, SignalKeyStore } from 'baileys';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.js';
import type { SessionSettings } from './contract.js';
import { rawSocket } from './frames.js';
import { log, reasonOf, silentLogger } from './logging.js';

const TIMEOUT_MS = 20_000;

/** Nothing is read or kept any more. */
const NO_KEYS: SignalKeyStore = { get: () => ({}), set: () => undefined };

/**
 * Take a device off its phone whose session is dropped already, over a connection of its own.
 *
 * Its first frame after the login is the logout, and the last: nothing that comes is acknowledged.
 * The session's own socket can't say it, as a frame that it held back is missing in its cipher.
 */
export async function farewell(
  config: Config,
  settings: SessionSettings,
  credentials: AuthenticationCreds,
): Promise<void> {
  const socket = makeWASocket({
    auth: { creds: credentials, keys: NO_KEYS },
    logger: silentLogger,
    browser: settings.browser,
    connectTimeoutMs: TIMEOUT_MS,
    ...(config.whatsappUrl ? { waWebSocketUrl: config.whatsappUrl } : {}),
    ...(config.whatsappVersion ? { version: config.whatsappVersion } : {}),
  });
  const ended = new Promise<void>((resolve) => {
    socket.ev.on('connection.update', ({ connection }) => {
      if (connection === 'close') resolve();
    });
  });
  socket.ws.prependListener('CB:success', () => {
    socket.logout().catch((error: unknown) => log('farewell failed', { error: reasonOf(error) }));
    const raw = rawSocket(socket);
    if (raw) raw.send = (_data, done) => done(new Error('All is said.'));
  });
  await Promise.race([ended, delay(TIMEOUT_MS, undefined, { ref: false })]);
  rawSocket(socket)?.terminate();
  await socket.end(undefined).catch(() => undefined);
}
