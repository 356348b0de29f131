import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { eachOnce } from '@/lib/api/pages';
import { campaignKeys } from '../keys';
import type { Campaign } from '../types';
import type { CampaignReport, RecipientPage, Timeline } from './types';

/** Query keys of a campaign's report; each begins with the campaign's own key. */
export const reportKeys = {
  report: (id: number) => [...campaignKeys.one(id), 'report'] as const,
  timeline: (id: number) => [...campaignKeys.one(id), 'timeline'] as const,
  recipients: (id: number) => [...campaignKeys.one(id), 'recipients'] as const,
};

/**
 * The refetch interval for figures that still change: events report only the campaign's own state.
 */
const MOVING_MS = 10_000;
/** Reads and answers arrive for a day after the end, and few later. */
const MOVES_ON_MS = 86_400_000;

const intervalOf = ({ status, completedAt }: Campaign) => {
  const isFresh = completedAt !== null && Date.now() - Date.parse(completedAt) < MOVES_ON_MS;
  return status === 'EM_ANDAMENTO' || isFresh ? MOVING_MS : false;
};

export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: reportKeys.report(id),
    queryFn: ({ signal }) => api.get<CampaignReport>(`/campaigns/${id}/report`, undefined, signal),
    refetchInterval: ({ state }) => (state.data ? intervalOf(state.data.campaign) : false),
  });

/** Deliveries, reads and answers by minute, hour or day; only for a started campaign. */
export const timelineQuery = (campaign: Campaign) =>
  queryOptions({
    queryKey: reportKeys.timeline(campaign.id),
    queryFn: ({ signal }) =>
      api.get<Timeline>(`/campaigns/${campaign.id}/timeline`, undefined, signal),
    enabled: campaign.startedAt !== null,
    refetchInterval: intervalOf(campaign),
  });

interface RecipientFilters {
  search: string;
  /** '' for all. */
  state: string;
}

const queryOf = ({ search, state }: RecipientFilters) => ({
  searchParam: search.trim(),
  ...(state && { state }),
});

export const recipientPagesQuery = (id: number, filters: RecipientFilters) =>
  infiniteQueryOptions({
    queryKey: [...reportKeys.recipients(id), queryOf(filters)] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<RecipientPage>(
        `/campaigns/${id}/recipients`,
        { ...queryOf(filters), afterId: pageParam },
        signal,
      ),
    initialPageParam: undefined as number | undefined,
    // The cursor is the last row's id: with a page number the server would read all rows before the
    // page.
    getNextPageParam: ({ hasMore, records }) => (hasMore ? records.at(-1)?.id : undefined),
    select: ({ pages }) => ({
      rows: eachOnce(pages.flatMap(({ records }) => records)),
      count: pages.at(-1)?.count ?? 0,
    }),
  });

/** A CSV file of the recipients that pass the filters. */
export const fetchRecipientsFile = (id: number, filters: RecipientFilters) =>
  api.file(`/campaigns/${id}/recipients/export`, queryOf(filters));
