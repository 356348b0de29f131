import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { changeQueries } from '@/lib/queryClient';
import { dropFromPages, dropFromRange, foldIntoPages, foldIntoRange } from './fold';
import type {
  ListFilters,
  RangeFilters,
  Schedule,
  ScheduleInput,
  SchedulePage,
  SchedulePages,
  ScheduleStatus,
} from './types';

export const STATUSES: readonly ScheduleStatus[] = ['PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO'];

/** Schedules that are still to be sent are sorted by the earliest, all others by the latest. */
const orderOf = ({ status }: ListFilters) =>
  status === 'PENDENTE' || status === 'AGENDADA' ? 'asc' : 'desc';

export const schedulesQuery = (filters: ListFilters) =>
  infiniteQueryOptions({
    queryKey: ['schedules', 'list', filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<SchedulePage>(
        '/schedules/',
        {
          searchParam: filters.search,
          status: filters.status,
          order: orderOf(filters),
          pageNumber: pageParam,
        },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (last.hasMore ? page + 1 : undefined),
  });

/**
 * The maximum of pages (of 200 schedules) in one calendar; a busier month is cut off, with a
 * notice.
 */
const MAX_PAGES = 10;

/** All schedules of a period. */
export const rangeQuery = (filters: RangeFilters) =>
  queryOptions({
    queryKey: ['schedules', 'range', filters] as const,
    queryFn: async ({ signal }): Promise<SchedulePage> => {
      const rows: Schedule[] = [];
      for (let pageNumber = 1; ; pageNumber += 1) {
        const page = await api.get<SchedulePage>(
          '/schedules/',
          {
            searchParam: filters.search,
            status: filters.status,
            dateStart: filters.start,
            dateEnd: filters.end,
            pageNumber,
          },
          signal,
        );
        rows.push(...page.schedules);
        if (!page.hasMore || pageNumber === MAX_PAGES) return { ...page, schedules: rows };
      }
    },
  });

export const scheduleQuery = (id: number) =>
  queryOptions({
    queryKey: ['schedules', 'id', id] as const,
    // A form starts with the stored values, not with those of its previous opening.
    gcTime: 0,
    queryFn: ({ signal }) => api.get<Schedule>(`/schedules/${id}`, undefined, signal),
  });

/** The messages that are still to be sent to a contact, soonest first. */
export const contactSchedulesQuery = (contactId: number) =>
  queryOptions({
    queryKey: ['schedules', 'contact', contactId] as const,
    queryFn: ({ signal }) =>
      api.get<SchedulePage>('/schedules/', { contactId, status: 'PENDENTE' }, signal),
  });

const refetchOfContacts = (client: QueryClient) =>
  void client.invalidateQueries({ queryKey: ['schedules', 'contact'] });

/**
 * Inserts a changed schedule into the cached lists that match it, and removes it from the others.
 */
export function applySchedule(client: QueryClient, schedule: Schedule) {
  changeQueries<SchedulePages>(client, ['schedules', 'list'], (pages, [, , filters]) =>
    foldIntoPages(pages, schedule, filters as ListFilters),
  );
  changeQueries<SchedulePage>(client, ['schedules', 'range'], (range, [, , filters]) =>
    foldIntoRange(range, schedule, filters as RangeFilters),
  );
  changeQueries<Schedule>(client, ['schedules', 'id', schedule.id], (known) =>
    known.updatedAt > schedule.updatedAt ? known : schedule,
  );
  refetchOfContacts(client);
}

export function applyDeletion(client: QueryClient, id: number) {
  changeQueries<SchedulePages>(client, ['schedules', 'list'], (pages) => dropFromPages(pages, id));
  changeQueries<SchedulePage>(client, ['schedules', 'range'], (range) => dropFromRange(range, id));
  refetchOfContacts(client);
}

interface Saving {
  /** The schedule to change; without it a new one is created. */
  id?: number | undefined;
  fields: Partial<ScheduleInput>;
  /**
   * Sent in the same request, so that a schedule that is due at once is not sent without its file.
   */
  file?: File;
  onProgress?: (share: number) => void;
}

function saveSchedule({ id, fields, file, onProgress }: Saving): Promise<Schedule> {
  const path = id === undefined ? '/schedules' : `/schedules/${id}`;
  if (!file)
    return id === undefined ? api.post<Schedule>(path, fields) : api.put<Schedule>(path, fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', file);
  const method = id === undefined ? 'POST' : 'PUT';
  return api.upload<Schedule>(path, form, { method, ...(onProgress && { onProgress }) });
}

/** Creates a schedule, or changes the one with `id`. */
export function useSaveSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: saveSchedule,
    onSuccess: (schedule) => applySchedule(client, schedule),
  });
}

export function useDeleteSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/schedules/${id}`),
    onSuccess: (_answer, id) => applyDeletion(client, id),
  });
}

export function useRetrySchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post<Schedule>(`/schedules/${id}/retry`),
    onSuccess: (schedule) => applySchedule(client, schedule),
  });
}

export const removeMedia = (id: number) => api.delete<Schedule>(`/schedules/${id}/media-upload`);
