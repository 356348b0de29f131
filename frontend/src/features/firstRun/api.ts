import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionsQuery, type Connection } from '@/features/connections/api';
import { queuesQuery } from '@/features/queues/api';
import { queryOf, type TicketsPage } from '@/features/tickets/api';
import { usersQuery } from '@/features/users/api';
import { api } from '@/lib/api/client';
import { can } from '@/lib/permissions';
import { useCompanyEvent } from '@/lib/socket';
import { useCurrentUser } from '@/stores/session';

export const FIRST_STEPS = ['number', 'queues', 'team', 'message'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The permission of users who set a company up. */
const ADMIN_ITEMS = 'drawer-admin-items:view';
/** All tickets of the company, in every state. */
const EVERY_TICKET = { showAll: true, queues: [] };

const keyOf = (userId: number) => `firstRun:${userId}`;

export interface FirstRun {
  done: Record<FirstStep, boolean>;
  /** The number to write to, in digits, if one is connected. */
  number: string;
  /** Whether there is a number, connected or not. */
  hasNumber: boolean;
  putAway: () => void;
}

const receivedQuery = () =>
  queryOptions({
    queryKey: ['firstRun', 'received'] as const,
    queryFn: async ({ signal }) => {
      const { tickets } = await api.get<TicketsPage>('/tickets', queryOf(EVERY_TICKET), signal);
      return tickets.some(({ lastInboundAt }) => lastInboundAt !== null);
    },
  });

const isConnected = ({ status }: Pick<Connection, 'status'>) => status === 'CONNECTED';

/**
 * A received message proves that a number was connected: a later outage does not reopen the step.
 */
export const stepsDone = (
  connections: readonly Pick<Connection, 'status'>[],
  queueCount: number,
  userCount: number,
  received: boolean,
): FirstRun['done'] => ({
  number: received || connections.some(isConnected),
  queues: queueCount > 0,
  team: userCount > 1,
  message: received,
});

/**
 * The remaining set-up steps of an admin, updated by live events. Null for other users, for an
 * admin who has dismissed them, when all are done, and while loading.
 */
export function useFirstRun(): FirstRun | null {
  const user = useCurrentUser();
  const client = useQueryClient();
  const key = keyOf(user.id);
  const [isAway, setAway] = useState(() => localStorage.getItem(key) !== null);
  const enabled = !isAway && can(user, ADMIN_ITEMS);
  const connections = useQuery({ ...connectionsQuery(), enabled });
  const queues = useQuery({ ...queuesQuery(), enabled });
  const users = useInfiniteQuery({ ...usersQuery(''), enabled });
  const received = useQuery({ ...receivedQuery(), enabled });

  const refetch = (queryKey: readonly string[]) => {
    if (enabled) void client.invalidateQueries({ queryKey });
  };
  useCompanyEvent('whatsapp', () => refetch(['connections']));
  useCompanyEvent('queue', () => refetch(['queues']));
  useCompanyEvent('user', () => refetch(['users']));
  useCompanyEvent('appMessage', ({ action }) => {
    if (action === 'create' && !received.data) refetch(['firstRun']);
  });

  if (!enabled || !connections.data || !queues.data || !users.data || received.data === undefined)
    return null;
  const connected = connections.data.find(isConnected);
  const done = stepsDone(connections.data, queues.data.length, users.data.count, received.data);
  if (FIRST_STEPS.every((step) => done[step])) return null;
  return {
    done,
    number: connected?.number ?? '',
    hasNumber: connections.data.length > 0,
    putAway: () => {
      localStorage.setItem(key, 'away');
      setAway(true);
    },
  };
}
