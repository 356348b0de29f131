import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { addDays, dateOf } from '@/lib/dates';
import type { AuditPage } from './types';

export type * from './types';

export interface AuditSearch {
  /** The acting user; '' for any. */
  userId: string;
  /** The kind of object: the part of an action before its dot; '' for any. */
  kind: string;
  /** Days in the browser's time zone, YYYY-MM-DD; '' for an open range. */
  from: string;
  to: string;
}

/** The company's audit log, newest first. */
export function auditQuery({ userId, kind, from, to }: AuditSearch) {
  const [since, last] = [dateOf(from), dateOf(to)];
  return infiniteQueryOptions({
    queryKey: ['audit-log', userId, kind, from, to] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>(
        '/audit-log',
        {
          pageNumber: pageParam,
          ...(userId && { userId }),
          ...(kind && { kind }),
          ...(since && { since: since.toISOString() }),
          ...(last && { until: addDays(last, 1).toISOString() }),
        },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });
}
