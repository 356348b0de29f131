import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { isDay } from '@/lib/dates';
import type { AutomaticText, AutomaticTexts, CostFigures, CostMeters, CostPage } from './types';

export type * from './types';

export const GROUPINGS = [
  'source',
  'queue',
  'user',
  'ticket',
  'campaign',
  'connection',
  'category',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface CostSearch {
  groupBy: Grouping;
  /** Days of the company's zone, YYYY-MM-DD; '' for the month so far. */
  dateFrom: string;
  dateTo: string;
}

/** Leaves out days that the user has not finished typing. */
const asked = ({ groupBy, dateFrom, dateTo }: CostSearch) => ({
  groupBy,
  ...(isDay(dateFrom) && { dateFrom }),
  ...(isDay(dateTo) && { dateTo }),
});

/** What delivered messages cost, by group, the dearest first. */
export const costsQuery = (search: CostSearch) =>
  infiniteQueryOptions({
    queryKey: ['costs', 'groups', asked(search)] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<CostPage>('/costs', { ...asked(search), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** The official numbers in this month. */
export const metersQuery = () =>
  queryOptions({
    queryKey: ['costs', 'meter'] as const,
    queryFn: ({ signal }) => api.get<CostMeters>('/costs/meter', undefined, signal),
  });

/** What the messages of a conversation cost. */
export const ticketCostQuery = (ticketId: number) =>
  queryOptions({
    queryKey: ['costs', 'ticket', ticketId] as const,
    queryFn: ({ signal }) => api.get<CostFigures>(`/tickets/${ticketId}/cost`, undefined, signal),
  });

/** What the bot writes of itself, with its figures of the last 30 days, the dearest first. */
export const automaticTextsQuery = () =>
  queryOptions({
    queryKey: ['costs', 'automatic-texts'] as const,
    queryFn: ({ signal }) => api.get<AutomaticTexts>('/costs/automatic-texts', undefined, signal),
  });

/** Stops a text wherever the company has it, or sends a stopped one again. */
export function useChangeText(verb: 'stop' | 'resume') {
  const client = useQueryClient();
  const { queryKey } = automaticTextsQuery();
  return useMutation({
    mutationFn: ({ origin, id }: Pick<AutomaticText, 'origin' | 'id'>) =>
      api.post<AutomaticText>(`/costs/automatic-texts/${verb}`, { origin, id }),
    onSuccess: (changed) =>
      client.setQueryData(queryKey, (known) => known && withText(known, changed)),
    // Somebody else may have changed it meanwhile.
    onError: () => void client.invalidateQueries({ queryKey }),
  });
}

/** Keeps the text's place: a list that moves under the mouse leads to wrong clicks. */
const withText = (known: AutomaticTexts, changed: AutomaticText): AutomaticTexts => ({
  ...known,
  texts: known.texts.map((each) =>
    each.origin === changed.origin && each.id === changed.id ? changed : each,
  ),
});

/** All groups as a CSV file. */
export const fetchCostFile = (search: CostSearch) => api.file('/costs/export', asked(search));
