import { useEffect, useEffectEvent } from 'react';
import { io, type Socket } from 'socket.io-client';
import { freshToken, refreshSession } from '@/lib/api/client';
import type { LiveEvent, LiveEvents } from '@/lib/api/types';
import { queryClient } from '@/lib/queryClient';
import { setConnection } from '@/stores/connection';
import { useSession } from '@/stores/session';

const USER_STATUS_MS = 300_000;
const RETRY_MS = 5_000;
const LISTS = 'joinTickets';

interface Room {
  join: string;
  leave: string | null;
  argument: string;
  users: Set<Joined>;
  /** The server has accepted the join, on this connection. */
  isJoined: boolean;
}

/**
 * Called when the server has accepted the join, unless the room had no event since this page began
 * to load. `isLate`: no other joined room delivered the events until then.
 */
type Joined = (isLate: boolean) => void;

/** Each takes the payload of its own event. */
type Handler = (payload: never) => void;

let socket: Socket | null = null;
/** Handlers and rooms outlive a connection: the next connection uses them again. */
const handlers = new Map<string, Set<Handler>>();
const rooms = new Map<string, Room>();

const emitRoom = (event: string, argument: string, heard: (quietMs?: unknown) => void) =>
  argument ? socket?.emit(event, argument, heard) : socket?.emit(event, heard);

/**
 * Joins a room. Data fetched before the server accepted the join may lack an event, so the room's
 * users are told, unless the server says that there was none in all the time of this page.
 */
function enterRoom(room: Room, isLate: boolean) {
  room.isJoined = false;
  emitRoom(room.join, room.argument, (quietMs) => {
    room.isJoined = true;
    if (typeof quietMs === 'number' && quietMs > performance.now()) return;
    room.users.forEach((onJoined) => onJoined(isLate));
  });
}

/** Whether this tab has joined the rooms of the lists, which receive every message. */
function hearsLists(): boolean {
  const lists = [...rooms.values()].filter(({ join }) => join === LISTS);
  return lists.length > 0 && lists.every(({ isJoined }) => isJoined);
}

/** Opens the one connection of this tab; returns a function that closes it. */
export function openSocket(): () => void {
  const { user } = useSession.getState();
  let hasBeenConnected = false;
  let retryTimer = 0;
  let isClosed = false;
  const connection = io({
    auth: (callback) => {
      freshToken().then(
        (token) => callback({ token }),
        () => callback({ token: useSession.getState().token ?? '' }),
      );
    },
    query: { companyId: String(user?.companyId ?? ''), userId: String(user?.id ?? '') },
    transports: ['websocket', 'polling'],
    // Without this option socket.io never falls back when the websocket is refused.
    tryAllTransports: true,
    withCredentials: true,
  });
  socket = connection;

  connection.on('connect', () => {
    setConnection('connected');
    connection.emit('userStatus');
    rooms.forEach((room) => enterRoom(room, true));
    // Events sent while disconnected are lost; fetching from the server again makes up for them.
    if (hasBeenConnected) void queryClient.invalidateQueries();
    hasBeenConnected = true;
  });
  connection.on('disconnect', (reason) => {
    setConnection('lost');
    // The server disconnects a socket whose session or rights it no longer accepts: a refresh tells
    // which.
    if (reason === 'io server disconnect') refreshSession().then(reconnect, retryLater);
  });
  connection.on('connect_error', () => {
    setConnection('lost');
    // The library does not retry a refusal by the server, unlike a lost network.
    if (!connection.active) refreshSession().then(retryLater, retryLater);
  });
  connection.onAny((event: string, payload: unknown) => {
    for (const handler of handlers.get(event) ?? []) handler(payload as never);
  });

  function reconnect() {
    if (!isClosed) connection.connect();
  }
  function retryLater() {
    if (isClosed) return;
    window.clearTimeout(retryTimer);
    retryTimer = window.setTimeout(reconnect, RETRY_MS);
  }

  const statusTimer = window.setInterval(() => connection.emit('userStatus'), USER_STATUS_MS);
  return () => {
    isClosed = true;
    window.clearInterval(statusTimer);
    window.clearTimeout(retryTimer);
    connection.removeAllListeners();
    connection.disconnect();
    socket = null;
    setConnection('connecting');
  };
}

/**
 * Subscribes to an event by its full name, across reconnects; returns a function that unsubscribes.
 */
function onSocketEvent(event: string, handler: Handler): () => void {
  const listeners = handlers.get(event) ?? new Set();
  handlers.set(event, listeners.add(handler));
  return () => {
    listeners.delete(handler);
  };
}

function joinRoom(
  join: string,
  leave: string | null,
  argument: string,
  onJoined: Joined,
): () => void {
  const key = `${join} ${argument}`;
  const room: Room = rooms.get(key) ?? { join, leave, argument, users: new Set(), isJoined: false };
  // Each user of the room is its own entry, even if two pass the same function.
  const user: Joined = (isLate) => onJoined(isLate);
  rooms.set(key, room);
  room.users.add(user);
  if (room.users.size === 1 && socket?.connected) enterRoom(room, !hearsLists());
  return () => {
    room.users.delete(user);
    if (room.users.size > 0) return;
    rooms.delete(key);
    if (leave && socket?.connected) emitRoom(leave, argument, () => undefined);
  };
}

/** Events of no single company: their names contain no company id. */
const COMMON: ReadonlySet<keyof LiveEvents> = new Set(['announcement'] as const);

/**
 * Subscribes to `company-{id}-{name}` or `company-{name}`; the id of the `subject` replaces the
 * braces in a name.
 */
export function useCompanyEvent<Name extends keyof LiveEvents>(
  name: Name,
  handler: (event: LiveEvent<Name>) => void,
  subject?: number,
) {
  const companyId = useSession((state) => state.user?.companyId);
  const hear = useEffectEvent(handler);
  useEffect(() => {
    if (companyId === undefined) return;
    const own = subject === undefined ? name : name.replace(/\{\w+\}/, String(subject));
    const fullName = COMMON.has(name) ? `company-${own}` : `company-${companyId}-${own}`;
    return onSocketEvent(fullName, (event: LiveEvent<Name>) => hear(event));
  }, [companyId, name, subject]);
}

/**
 * Stays in a ticket's room while mounted (`joinChatBox`). `onJoined`, here and below, is called
 * when the server has accepted the join and events may have been missed: data fetched before must
 * then be fetched again.
 */
export function useTicketRoom(ticketId: number | string | undefined, onJoined?: Joined) {
  const joined = useEffectEvent((isLate: boolean) => onJoined?.(isLate));
  useEffect(() => {
    if (ticketId === undefined) return;
    return joinRoom('joinChatBox', 'leaveChatBox', String(ticketId), (isLate) => joined(isLate));
  }, [ticketId]);
}

/** Stays in a status's room while mounted (`joinTickets`), 'open' | 'pending' | 'closed'. */
export function useStatusRoom(status: string | undefined, onJoined?: Joined) {
  const joined = useEffectEvent((isLate: boolean) => onJoined?.(isLate));
  useEffect(() => {
    if (status === undefined) return;
    return joinRoom(LISTS, 'leaveTickets', status, (isLate) => joined(isLate));
  }, [status]);
}

/** Stays in the notification room while mounted. */
export function useNotificationRoom(onJoined?: Joined) {
  const joined = useEffectEvent((isLate: boolean) => onJoined?.(isLate));
  useEffect(() => joinRoom('joinNotification', null, '', (isLate) => joined(isLate)), []);
}
