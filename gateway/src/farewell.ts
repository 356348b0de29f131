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
/** Status codes for a device that WhatsApp does not know, or no longer knows. */
const UNKNOWN: ReadonlySet<number> = new Set([401, 403]);

/** A key store that reads and keeps nothing. */
const NO_KEYS: SignalKeyStore = { get: () => ({}), set: () => undefined };

/**
 * Unlink a device whose session is already dropped, over a connection of its own.
 *
 * The logout is the first frame after the login, and the last: nothing received is acknowledged.
 * The session's own socket cannot send it, because frames that it held back are missing from its
 * cipher sequence. Returns whether WhatsApp accepted it, or does not know the device.
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
      // The connection also closes after the logout was sent.
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

/** Unlink a device whose session ended while no gateway owned it. */
export async function partFrom(config: Config, order: FarewellOrder): Promise<boolean> {
  const credentials = revived(order.credentials) as Partial<AuthenticationCreds> | null;
  // Not a linked WhatsApp device: there is no phone to tell.
  if (!credentials?.account || !credentials.noiseKey) return true;
  return farewell(config, order, credentials as AuthenticationCreds);
}
