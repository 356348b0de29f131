import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { connectionsQuery, type Connection } from '@/features/connections/api';
import { queuesQuery } from '@/features/queues/api';
import { queryOf, type TicketsPage } from '@/features/tickets/api';
import { usersQuery } from '@/features/users/api';
import { api } from '@/lib/api/client';
import { opens } from '@/lib/permissions';
import { useCompanyEvent } from '@/lib/socket';
import { useCurrentUser } from '@/stores/session';

export const FIRST_STEPS = ['queues', 'number', 'team', 'message'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The permission of users who set a company up. */
/** All tickets of the company, in every state. */
const EVERY_TICKET = { showAll: true, queues: [] };

const keyOf = (userId: number) => `firstRun:${userId}`;

export interface FirstRun {
  done: Record<FirstStep, boolean>;
  /** The number to write to, in digits, if one is connected. */
  number: string;
  /** Whether there is a number, connected or not. */
  hasNumber: boolean;
  /** The company has no conversation yet, so there is nothing else to show. */
  isEmpty: boolean;
  putAway: () => void;
}

const talksQuery = () =>
  queryOptions({
    queryKey: ['firstRun', 'talks'] as const,
    queryFn: async ({ signal }) => {
      const { tickets } = await api.get<TicketsPage>('/tickets', queryOf(EVERY_TICKET), signal);
      return {
        any: tickets.length > 0,
        received: tickets.some(({ lastInboundAt }) => lastInboundAt !== null),
      };
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
  queues: queueCount > 0,
  number: received || connections.some(isConnected),
  team: userCount > 1,
  message: received,
});

/** The pages on which the steps are done. */
const PAGES = ['connections', 'queues', 'users'] as const;

/**
 * The remaining set-up steps of an admin, updated by live events; undefined while loading. Null for
 * other users, for an admin who has dismissed them or done all in this browser, and when they can't
 * be loaded.
 */
export function useFirstRun(): FirstRun | null | undefined {
  const user = useCurrentUser();
  const client = useQueryClient();
  const key = keyOf(user.id);
  // 'away' or 'done'.
  const [isAway, setAway] = useState(() => localStorage.getItem(key) !== null);
  const enabled = !isAway && PAGES.every((page) => opens(user, page));
  const connections = useQuery({ ...connectionsQuery(), enabled });
  const queues = useQuery({ ...queuesQuery(), enabled });
  const users = useInfiniteQuery({ ...usersQuery(''), enabled });
  const talks = useQuery({ ...talksQuery(), enabled });

  const refetch = (queryKey: readonly string[]) => {
    if (enabled) void client.invalidateQueries({ queryKey });
  };
  useCompanyEvent('whatsapp', () => refetch(['connections']));
  useCompanyEvent('queue', () => refetch(['queues']));
  useCompanyEvent('user', () => refetch(['users']));
  useCompanyEvent('appMessage', ({ action }) => {
    if (action === 'create' && !talks.data?.received) refetch(['firstRun']);
  });

  const done =
    connections.data &&
    queues.data &&
    users.data &&
    talks.data &&
    stepsDone(connections.data, queues.data.length, users.data.count, talks.data.received);
  const isOver = done !== undefined && FIRST_STEPS.every((step) => done[step]);
  // From then on this browser need not ask.
  useEffect(() => {
    if (isOver) localStorage.setItem(key, 'done');
  }, [isOver, key]);

  if (!enabled || isOver) return null;
  if (!done) {
    const isLost = [connections, queues, users, talks].some(
      ({ isError, fetchStatus }) => isError || fetchStatus === 'paused',
    );
    return isLost ? null : undefined;
  }
  const connected = connections.data.find(isConnected);
  return {
    done,
    number: connected?.number ?? '',
    hasNumber: connections.data.length > 0,
    isEmpty: !talks.data.any,
    putAway: () => {
      localStorage.setItem(key, 'away');
      setAway(true);
    },
  };
}
