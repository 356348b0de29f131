import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { WAVersion } from 'baileys';

/** The configuration of this process, from the environment. */
export interface Config {
  secret: string;
  serverUrl: string;
  /** The address on which the command server listens. */
  host: string;
  port: number;
  /**
   * The URL under which the server calls this process; empty: made from host and port when it
   * listens.
   */
  publicUrl: string;
  /** The name of this process, new at each start. */
  name: string;
  maxSessions: number;
  /** The URL of WhatsApp's web socket; empty: the real one. */
  whatsappUrl: string;
  /** The host for uploading and downloading media; empty: the real hosts. */
  mediaUrl: string;
  /**
   * How long a message may be unreadable before it is reported; normally it is resent within
   * seconds.
   */
  unreadableMs: number;
  /** The version of WhatsApp Web; undefined: the library's default. */
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

/** Read the environment; throws an error whose message names the missing setting. */
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
