import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { Asked } from './filters';
import type { Breakdown, Dashboard, Group } from './types';

export type * from './types';

/** The refetch interval of the figures shown. */
const MOVING_MS = 60_000;

export const dashboardKeys = {
  all: ['dashboard'] as const,
  figures: ['dashboard', 'figures'] as const,
  breakdown: ['dashboard', 'breakdown'] as const,
  tags: ['dashboard', 'tags'] as const,
};

/** The cards, the attendants and the hours of today. */
export const dashboardQuery = (asked: Asked) =>
  queryOptions({
    queryKey: [...dashboardKeys.figures, asked] as const,
    queryFn: ({ signal }) => api.get<Dashboard>('/dashboard', { ...asked }, signal),
    refetchInterval: MOVING_MS,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });

/** Queues, connections, first response, ratings, and who waits now. */
export const breakdownQuery = (asked: Asked) =>
  queryOptions({
    queryKey: [...dashboardKeys.breakdown, asked] as const,
    queryFn: ({ signal }) => api.get<Breakdown>('/dashboard/breakdown', { ...asked }, signal),
    refetchInterval: MOVING_MS,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });

/** The tags of the tickets of these days. */
export const tagsQuery = (asked: Asked) =>
  queryOptions({
    queryKey: [...dashboardKeys.tags, asked] as const,
    queryFn: ({ signal }) => api.get<Group[]>('/dashboard/tags', { ...asked }, signal),
    refetchInterval: MOVING_MS,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });

/** The whole dashboard as a workbook. */
export const fetchDashboardFile = (asked: Asked) => api.file('/dashboard/export', { ...asked });
