import { useEffect, useMemo, useState } from 'react';
import type { LiveEvent } from '@/lib/api/types';
import { useCompanyEvent } from '@/lib/socket';
import { useConnection } from '@/stores/connection';
import { useCurrentUser } from '@/stores/session';

type ViewersEvent = LiveEvent<'ticketViewers'>;
export type Viewer = ViewersEvent['viewers'][number];

/** Who has a ticket open, by the newest event. */
export interface Seen {
  at: number;
  viewers: readonly Viewer[];
}

export const NOBODY: Seen = { at: 0, viewers: [] };

/** Events of two server processes may arrive in another order: an older one changes nothing. */
export const foldViewers = (
  seen: Seen,
  { at, viewers }: Pick<ViewersEvent, 'at' | 'viewers'>,
): Seen => (at > seen.at ? { at, viewers } : seen);

/**
 * The other users who have the ticket open (rules/realtime §5). Nobody while disconnected: the
 * server tells again after the ticket's room was joined anew.
 */
export function useOtherViewers(ticketId: number): readonly Viewer[] {
  const user = useCurrentUser();
  const [seen, setSeen] = useState(NOBODY);
  const isConnected = useConnection(({ state }) => state === 'connected');
  useCompanyEvent('ticketViewers', (event) => {
    if (event.ticketId === ticketId) setSeen((before) => foldViewers(before, event));
  });
  // Also when the conversation is hidden: it leaves the room.
  useEffect(() => () => setSeen(NOBODY), [ticketId, isConnected]);
  return useMemo(() => seen.viewers.filter(({ id }) => id !== user.id), [seen.viewers, user.id]);
}
