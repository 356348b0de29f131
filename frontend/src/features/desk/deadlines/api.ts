import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useSession } from '@/stores/session';
import type {
  Holiday,
  MissedAsked,
  PolicyInput,
  SlaMissedPage,
  SlaPolicy,
  SlaReport,
} from './types';

export type * from './types';

const keys = {
  policies: ['sla', 'policies'] as const,
  holidays: ['sla', 'holidays'] as const,
};

/** Whether the company has deadlines (rules/desk §8); from the session, which costs no call. */
export const useHasDeadlines = () =>
  useSession(
    ({ user }) =>
      user?.company.settings.some(({ key, value }) => key === 'sla' && value === 'enabled') ??
      false,
  );

export const policiesQuery = () =>
  queryOptions({
    queryKey: keys.policies,
    queryFn: ({ signal }) => api.get<SlaPolicy[]>('/sla', undefined, signal),
  });

/** Creates times, or replaces those of an id. */
export function useSavePolicy(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: PolicyInput) =>
      id === null ? api.post<SlaPolicy>('/sla', input) : api.put<SlaPolicy>(`/sla/${id}`, input),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.policies }),
  });
}

export function useDeletePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/sla/${id}`),
    onSettled: () => client.invalidateQueries({ queryKey: keys.policies }),
  });
}

/** The days off of a year; the settings decide about them, so they are part of the key. */
export const holidaysQuery = (year: number, national: string, own: string) =>
  queryOptions({
    queryKey: [...keys.holidays, year, national, own] as const,
    queryFn: ({ signal }) => api.get<Holiday[]>('/holidays', { year: String(year) }, signal),
    placeholderData: keepPreviousData,
  });

/** The days of the dashboard, as it asks for them. */
export type Days = Readonly<Record<string, string>>;

export const reportQuery = (days: Days) =>
  queryOptions({
    // Under the dashboard's key: its button fetches this again as well.
    queryKey: ['dashboard', 'sla', days] as const,
    queryFn: ({ signal }) => api.get<SlaReport>('/sla/report', { ...days }, signal),
    placeholderData: keepPreviousData,
  });

const textOf = (value: number | undefined) => (value === undefined ? undefined : String(value));

export const missedQuery = (days: Days, { kind, queueId, userId, hour }: MissedAsked) =>
  infiniteQueryOptions({
    queryKey: ['sla', 'missed', days, kind, queueId, userId, hour] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<SlaMissedPage>(
        '/sla/missed',
        {
          ...days,
          kind,
          queueId: textOf(queueId),
          userId: textOf(userId),
          hour: textOf(hour),
          pageNumber: pageParam,
        },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last: SlaMissedPage, pages: SlaMissedPage[]) =>
      last.hasMore ? pages.length + 1 : undefined,
  });
