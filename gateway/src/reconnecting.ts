import type { SessionReason, SessionStatus } from './contract.js';
import { backOff } from './server-client.js';

const FIRST_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 300;
/** So often in a row a session that nobody has linked is tried: minutes, then somebody is to ask. */
const MOST_FAILURES = 10;

/** What to do after a connection ended. */
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
 * The policy of docs/gateway.md §4 by WhatsApp's status code, `failures` times in a row before.
 *
 * A session that is not linked yet keeps offering codes: nothing of it can be replaced or logged
 * out. `hasOffered`: the connection that ended had shown one.
 */
export function next(
  code: number,
  { isLinked, hasOffered }: { isLinked: boolean; hasOffered: boolean },
  failures: number,
): Next {
  const afterSeconds = backOff(failures, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  if (code === 515) return { kind: 'again', afterSeconds: 0, reason: 'restart' };
  // Then 408 is the end of WhatsApp's list of codes: a new connection brings the next ones.
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

/** WhatsApp's code for why a connection ended; Baileys keeps it in an error of @hapi/boom. */
export function statusOf(error: Error | undefined): number {
  const { output } = (error ?? {}) as { output?: { statusCode?: number } };
  return output?.statusCode ?? 428;
}
