import { makeWASocket } from 'baileys';
import type { AuthenticationCreds, SignalKeyStore } from 'baileys';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.js';
import type { FarewellOrder, SessionSettings } from './contract.js';
import { rawSocket } from './frames.js';
import { revived } from './key-store.js';
import { log, reasonOf, silentLogger } from './logging.js';
import { statusOf } from './reconnecting.js';

const TIMEOUT_MS = 20_000;
/** WhatsApp knows no such device, or not any more. */
const UNKNOWN: ReadonlySet<number> = new Set([401, 403]);

/** Nothing is read or kept any more. */
const NO_KEYS: SignalKeyStore = { get: () => ({}), set: () => undefined };

/**
 * Take a device off its phone whose session is dropped already, over a connection of its own.
 *
 * Its first frame after the login is the logout, and the last: nothing that comes is acknowledged.
 * The session's own socket can't say it, as a frame that it held back is missing in its cipher.
 * Returns whether WhatsApp took it, or knows the device no more.
 */
export async function farewell(
  config: Config,
  { browser }: Pick<SessionSettings, 'browser'>,
  credentials: AuthenticationCreds,
): Promise<boolean> {
  const socket = makeWASocket({
    auth: { creds: credentials, keys: NO_KEYS },
    logger: silentLogger,
    browser,
    connectTimeoutMs: TIMEOUT_MS,
    ...(config.whatsappUrl ? { waWebSocketUrl: config.whatsappUrl } : {}),
    ...(config.whatsappVersion ? { version: config.whatsappVersion } : {}),
  });
  const ended = new Promise<boolean>((resolve) => {
    socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
      // So it ends, too, once the logout is sent.
      if (connection === 'close') resolve(UNKNOWN.has(statusOf(lastDisconnect?.error)));
    });
  });
  socket.ws.prependListener('CB:success', () => {
    socket.logout().catch((error: unknown) => log('farewell failed', { error: reasonOf(error) }));
    const raw = rawSocket(socket);
    if (raw) raw.send = (_data, done) => done(new Error('All is said.'));
  });
  const isTold = await Promise.race([ended, delay(TIMEOUT_MS, false, { ref: false })]);
  rawSocket(socket)?.terminate();
  await socket.end(undefined).catch(() => undefined);
  return isTold;
}

/** Take a device off its phone whose session ended while no gateway had it. */
export async function partFrom(config: Config, order: FarewellOrder): Promise<boolean> {
  const credentials = revived(order.credentials) as Partial<AuthenticationCreds> | null;
  // Not one of WhatsApp's: there is no phone to tell.
  if (!credentials?.account || !credentials.noiseKey) return true;
  return farewell(config, order, credentials as AuthenticationCreds);
}
