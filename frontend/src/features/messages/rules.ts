import type { Ticket } from '@/features/tickets/api';
import type { SessionUser } from '@/lib/api/types';
import { may } from '@/lib/permissions';

/**
 * How long an official number may send free text after the contact's last message
 * (rules/messages §4).
 */
export const WINDOW_MS = 24 * 3_600_000;
/** With less time than this left, the end of the 24-hour window is highlighted. */
const HINT_MS = 2 * 3_600_000;

type Access = Pick<Ticket, 'status' | 'userId' | 'queueId'>;
export type Viewer = Pick<SessionUser, 'id' | 'granted'> & { queues: { id: number }[] };

/** Whether the role lets the user read and act on every ticket (rules/tickets §5). */
export const isAdmin = (user: Viewer) => may(user, 'tickets:seeAll');

const worksIn = (ticket: Access, user: Viewer) =>
  isAdmin(user) ||
  ((may(user, 'tickets:seeQueues') || ticket.userId === user.id) &&
    user.queues.some(({ id }) => id === ticket.queueId));

/** Whether a user may accept or reopen: an admin, or a user of its queue (rules/tickets §5). */
export const mayServe = (ticket: Access, user: Viewer) =>
  may(user, 'tickets:take') && worksIn(ticket, user);

/** Whether the ticket is open and the user's, or any for an admin (rules/tickets §5). */
const leads = (ticket: Access, user: Viewer) =>
  ticket.status === 'open' && (ticket.userId === user.id || isAdmin(user));

/** Whether the ticket is the user's, or the role lets them take others. */
const mayHandle = (ticket: Access, user: Viewer) =>
  ticket.userId === user.id || may(user, 'tickets:take');

/** Whether a user may write: the holder, or an admin who may take tickets (rules/tickets §5). */
export const mayWrite = (ticket: Access, user: Viewer) =>
  leads(ticket, user) && mayHandle(ticket, user);

/** Whether a user may resolve the ticket: the holder or an admin, if the role allows it. */
export const mayResolve = (ticket: Access, user: Viewer) =>
  may(user, 'tickets:resolve') && leads(ticket, user);

/** Whether a user has an open ticket in hand; any other if they work in its queue. */
const mayMove = (ticket: Access, user: Viewer) =>
  ticket.status === 'open' && ticket.userId !== null ? leads(ticket, user) : worksIn(ticket, user);

/** Whether a user may transfer the ticket, if the role allows it (rules/tickets §5). */
export const mayTransfer = (ticket: Access, user: Viewer) =>
  (may(user, 'tickets:assign') || may(user, 'tickets:transfer')) && mayMove(ticket, user);

/** Whether a user may snooze the ticket, and end that (rules/tickets §18). */
export const maySnooze = (ticket: Access, user: Viewer) =>
  ticket.status !== 'closed' && mayHandle(ticket, user) && mayMove(ticket, user);

/**
 * The state of the composer. `closesAt` is when the window of an official number ends, in ms;
 * `never`: the contact has not written to this number yet.
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
  /** The window ends within two hours: its end is highlighted. */
  soon: boolean;
}

/** The time left of the window, rounded up to minutes; null if it is closed. */
export function timeLeft(closesAt: number, now: number): TimeLeft | null {
  const left = closesAt - now;
  if (left <= 0) return null;
  // If the browser's clock is behind the server's, the result is still at most the whole window.
  const minutes = Math.ceil(Math.min(left, WINDOW_MS) / 60_000);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60, soon: left < HINT_MS };
}

/** Milliseconds until the displayed minutes change. */
export const untilNextMinute = (closesAt: number, now: number) =>
  (closesAt - now) % 60_000 || 60_000;
