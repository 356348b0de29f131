import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { WAVersion } from 'baileys';

/** What the environment says about this process. */
export interface Config {
  secret: string;
  serverUrl: string;
  /** Where the command server listens. */
  host: string;
  port: number;
  /** What the server is told to call; empty: made from host and port once it listens. */
  publicUrl: string;
  /** Names this process, anew at each start. */
  name: string;
  maxSessions: number;
  /** WhatsApp's web socket; empty: the real one. */
  whatsappUrl: string;
  /** Where media are up- and downloaded; empty: the real hosts. */
  mediaUrl: string;
  /** How long a message may be unreadable before it is told; it comes anew within seconds. */
  unreadableMs: number;
  /** WhatsApp Web's version; undefined: the one that the library was made for. */
  whatsappVersion: WAVersion | undefined;
}

function whole(value: string | undefined, otherwise: number): number {
  const number = Number(value || otherwise);
  if (!Number.isInteger(number) || number < 0)
    throw new Error(`Not a whole number: ${value ?? ''}`);
  return number;
}

function version(value: string | undefined): WAVersion | undefined {
  const [first, second, third] = (value ?? '').split('.').map(Number);
  return first && second !== undefined && third ? [first, second, third] : undefined;
}

/** Read the environment; throws a sentence that says what to set. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { GATEWAY_SECRET: secret, BALCAO_URL: serverUrl } = environment;
  if (!secret) throw new Error('Set GATEWAY_SECRET: the secret that server and gateway share.');
  if (!serverUrl) throw new Error('Set BALCAO_URL: where the server answers.');
  const name = environment.GATEWAY_NAME ?? hostname();
  return {
    secret,
    serverUrl,
    host: environment.GATEWAY_ADDRESS ?? '127.0.0.1',
    port: whole(environment.GATEWAY_PORT, 8020),
    publicUrl: environment.GATEWAY_URL ?? '',
    name: `${name}-${process.pid}-${randomUUID().slice(0, 8)}`,
    maxSessions: whole(environment.GATEWAY_MAX_SESSIONS, 100),
    whatsappUrl: environment.WHATSAPP_URL ?? '',
    mediaUrl: environment.WHATSAPP_MEDIA_URL ?? '',
    unreadableMs: whole(environment.WHATSAPP_UNREADABLE_SECONDS, 60) * 1000,
    whatsappVersion: version(environment.WHATSAPP_VERSION),
  };
}
