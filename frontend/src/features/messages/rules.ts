import type { Ticket } from '@/features/tickets/api';
import type { SessionUser } from '@/lib/api/types';

/** How long an official number may write freely after the contact did (rules/messages §4). */
export const WINDOW_MS = 24 * 3_600_000;
/** With less than this left of the 24-hour window, its end stands out. */
const HINT_MS = 4 * 3_600_000;

type Access = Pick<Ticket, 'status' | 'userId' | 'queueId'>;
export type Viewer = Pick<SessionUser, 'id' | 'profile' | 'super'> & { queues: { id: number }[] };

export const isAdmin = (user: Viewer) => user.profile === 'admin' || user.super;

/** Whether a user may take the ticket: one of their queues, or an admin (rules/tickets §5). */
export const mayServe = (ticket: Access, user: Viewer) =>
  isAdmin(user) || user.queues.some(({ id }) => id === ticket.queueId);

/** Only the holder or an admin writes, returns or resolves (rules/tickets §5). */
export const mayWrite = (ticket: Access, user: Viewer) =>
  ticket.status === 'open' && (ticket.userId === user.id || isAdmin(user));

/** An open ticket is passed on by who leads it, any other by who may take it (rules/tickets §5). */
export const mayTransfer = (ticket: Access, user: Viewer) =>
  ticket.status === 'open' && ticket.userId !== null
    ? mayWrite(ticket, user)
    : mayServe(ticket, user);

/**
 * What stands where the message is written. `closesAt` is when the window of an official number
 * ends, in ms; `never`: the contact has not written to it yet.
 */
export type ComposerMode =
  | { kind: 'write'; closesAt: number | null }
  | { kind: 'windowClosed'; never: boolean }
  | { kind: 'accept' | 'reopen' | 'readOnly' };

interface Window {
  provider: string | undefined;
  /** When the contact last wrote, in ms. */
  lastInboundAt: number | null;
  /** When the server last refused because of the window, in ms. */
  refusedAt: number | null;
  now: number;
}

export function composerMode(ticket: Access, user: Viewer, window: Window): ComposerMode {
  if (ticket.status === 'pending') return { kind: mayServe(ticket, user) ? 'accept' : 'readOnly' };
  if (ticket.status === 'closed') return { kind: mayServe(ticket, user) ? 'reopen' : 'readOnly' };
  if (!mayWrite(ticket, user)) return { kind: 'readOnly' };
  if (window.provider !== 'official') return { kind: 'write', closesAt: null };
  const { lastInboundAt, refusedAt, now } = window;
  const closesAt = (lastInboundAt ?? 0) + WINDOW_MS;
  if (closesAt <= now || (refusedAt ?? 0) > (lastInboundAt ?? 0)) {
    return { kind: 'windowClosed', never: lastInboundAt === null };
  }
  return { kind: 'write', closesAt };
}

interface TimeLeft {
  hours: number;
  minutes: number;
  /** It ends within four hours: whoever has something to say should say it. */
  soon: boolean;
}

/** What is left of the window, the minute that runs counted whole; null when it is closed. */
export function timeLeft(closesAt: number, now: number): TimeLeft | null {
  const left = closesAt - now;
  if (left <= 0) return null;
  // A clock that is behind the server's makes it no longer than it can be.
  const minutes = Math.ceil(Math.min(left, WINDOW_MS) / 60_000);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60, soon: left < HINT_MS };
}

/** Milliseconds until the shown minutes change. */
export const untilNextMinute = (closesAt: number, now: number) =>
  (closesAt - now) % 60_000 || 60_000;
