/** The types of docs/gateway.md, as sent on the wire. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };
export type JsonObject = Record<string, Json | undefined>;

/** Values by type and id; null deletes one. */
export type KeyValues = Record<string, Record<string, Json>>;

export type SessionStatus =
  'OPENING' | 'qrcode' | 'PAIRING' | 'CONNECTED' | 'DISCONNECTED' | 'TIMEOUT';

export type SessionReason =
  | 'scanned'
  | 'replaced'
  | 'logged_out'
  | 'qr_expired'
  | 'connection_lost'
  | 'restart'
  | 'unavailable'
  | 'not_stored'
  | 'refused';

/** A person: `number` is digits or '', `lid` is `…@lid` or ''. */
export interface Person {
  number: string;
  lid: string;
}

export interface NamedPerson extends Person {
  name: string;
}

export type EventKind =
  'session' | 'message' | 'status' | 'call' | 'identity' | 'contacts' | 'group';

export interface GatewayEvent {
  id: string;
  kind: EventKind;
  partition: string;
  at: number;
  payload: JsonObject;
}

export interface MediaPart {
  mime: string;
  name: string;
  size: number;
  sha256: string;
  isVoice: boolean;
  seconds: number;
  reference: JsonObject;
}

export interface SessionSettings {
  browser: [string, string, string];
  ignoreGroups: boolean;
  syncHistory: boolean;
  qrAttempts: number;
  markOnline: boolean;
}

export interface HeldSession {
  session: number;
  epoch: number;
}

export interface ClaimedSession extends HeldSession {
  credentials: Json;
  settings: SessionSettings;
  link: { number: string } | null;
}

/** A device without a session, which is to be unlinked from its phone. */
export interface FarewellOrder {
  farewell: number;
  credentials: Json;
  browser: [string, string, string];
}

export interface LeaseAnswer {
  leaseSeconds: number;
  /** How often to give a sign of life; 0: not at all. */
  beatSeconds?: number;
  /** With `report` the server does not know the session's status. */
  held: (HeldSession & { settings?: SessionSettings; report?: boolean })[];
  lost: number[];
  claimed: ClaimedSession[];
  stop: (HeldSession & { logout: boolean })[];
  farewells?: FarewellOrder[];
}

/** The key by which commands refer to a message. */
export interface MessageKey {
  chat: string;
  id: string;
  fromMe: boolean;
  participant?: string;
}

export interface QuotedMessage extends MessageKey {
  body?: string;
  type?: string;
}
