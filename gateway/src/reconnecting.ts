import type { SessionReason, SessionStatus } from './contract.js';
import { backOff } from './server-client.js';

const FIRST_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 300;
/**
 * An unlinked session is tried this many times in a row, for some minutes; after that a user must
 * request it again.
 */
const MOST_FAILURES = 10;

/** The next step after a connection ended. */
export type Next =
  | { kind: 'again'; afterSeconds: number; reason: SessionReason }
  | { kind: 'stop'; status: SessionStatus; reason: SessionReason; wipes: boolean };

const PASSING: Readonly<Record<number, SessionReason>> = {
  408: 'connection_lost',
  428: 'connection_lost',
  500: 'unavailable',
  503: 'unavailable',
};

/**
 * The policy of docs/gateway.md §4: the next step for WhatsApp's status code after `failures`
 * earlier failures in a row.
 *
 * A session that is not linked keeps offering codes: it can be neither replaced nor logged out.
 * `hasOffered`: the ended connection had shown a code.
 */
export function next(
  code: number,
  { isLinked, hasOffered }: { isLinked: boolean; hasOffered: boolean },
  failures: number,
): Next {
  const afterSeconds = backOff(failures, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  if (code === 515) return { kind: 'again', afterSeconds: 0, reason: 'restart' };
  // Here 408 means that WhatsApp's list of codes is used up: a new connection gets new ones.
  if (!isLinked && hasOffered && code === 408)
    return { kind: 'again', afterSeconds: 0, reason: 'qr_expired' };
  const passing = PASSING[code];
  if (!isLinked && failures >= MOST_FAILURES) {
    return {
      kind: 'stop',
      status: 'TIMEOUT',
      reason: passing ? 'qr_expired' : 'refused',
      wipes: false,
    };
  }
  if (passing) return { kind: 'again', afterSeconds, reason: passing };
  if (!isLinked) return { kind: 'again', afterSeconds, reason: 'refused' };
  if (code === 440) {
    return { kind: 'stop', status: 'DISCONNECTED', reason: 'replaced', wipes: false };
  }
  const isLoggedOut = code === 401 || code === 403;
  const reason = isLoggedOut ? 'logged_out' : 'refused';
  return { kind: 'stop', status: 'DISCONNECTED', reason, wipes: isLoggedOut };
}

/**
 * The status code with which WhatsApp ended a connection; Baileys keeps it in a @hapi/boom error.
 */
export function statusOf(error: Error | undefined): number {
  const { output } = (error ?? {}) as { output?: { statusCode?: number } };
  return output?.statusCode ?? 428;
}
