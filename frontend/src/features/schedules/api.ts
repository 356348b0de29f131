import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import { changeQueries } from '@/lib/queryClient';
import { dropFromPages, dropFromRange, foldIntoPages, foldIntoRange } from './fold';

type Schemas = components['schemas'];

export type Schedule = Schemas['ScheduledMessage'];
export type ScheduleStatus = Schedule['status'];
export type SchedulePage = Schemas['ScheduledMessagePage'];
export type SchedulePages = InfiniteData<SchedulePage, number>;
export type ScheduleInput = Schemas['ScheduledMessageInputRequest'];

export const STATUSES: readonly ScheduleStatus[] = ['PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO'];

export interface ListFilters {
  search: string;
  status: ScheduleStatus | '';
}

/** `start` is inside, `end` is not; both as ISO 8601. */
export interface RangeFilters extends ListFilters {
  start: string;
  end: string;
}

/** What is still to come is read from its soonest, everything else from its latest. */
export const orderOf = ({ status }: ListFilters) =>
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

/** Pages of 200 that one calendar takes; a busier month shows its beginning, and says so. */
const MAX_PAGES = 10;

/** Everything of a stretch of the calendar. */
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
    // A form starts with what is stored now, never with what it was at the last opening.
    gcTime: 0,
    queryFn: ({ signal }) => api.get<Schedule>(`/schedules/${id}`, undefined, signal),
  });

/** Puts a changed schedule wherever it is shown, or takes it from there. */
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
}

export function applyDeletion(client: QueryClient, id: number) {
  changeQueries<SchedulePages>(client, ['schedules', 'list'], (pages) => dropFromPages(pages, id));
  changeQueries<SchedulePage>(client, ['schedules', 'range'], (range) => dropFromRange(range, id));
}

/** Creates a schedule, or changes the one with `id`. */
export function useSaveSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: { id?: number | undefined; fields: Partial<ScheduleInput> }) =>
      id === undefined
        ? api.post<Schedule>('/schedules', fields)
        : api.put<Schedule>(`/schedules/${id}`, fields),
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

export function uploadMedia(
  id: number,
  file: File,
  onProgress: (share: number) => void,
): Promise<Schedule> {
  const form = new FormData();
  form.append('file', file);
  return api.upload<Schedule>(`/schedules/${id}/media-upload`, form, { onProgress });
}

export const removeMedia = (id: number) => api.delete<Schedule>(`/schedules/${id}/media-upload`);

/** Where a schedule's file can be looked at; null where there is none. */
export const mediaAddress = ({ mediaPath }: Schedule) =>
  mediaPath ? `/api/public/${mediaPath}` : null;
