import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { changeQueries } from '@/lib/queryClient';
import { dropFromPages, foldIntoPages, newerOf } from './fold';
import { campaignKeys } from './keys';
import type { Campaign, CampaignPage, CampaignPages } from './types';

export type * from './types';

/** The company's campaigns, newest first. */
export const campaignPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...campaignKeys.pages, search.trim()] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<CampaignPage>(
        '/campaigns/',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** One campaign as it is now. */
export const campaignQuery = (id: number) =>
  queryOptions({
    queryKey: campaignKeys.record(id),
    queryFn: ({ signal }) => api.get<Campaign>(`/campaigns/${id}`, undefined, signal),
  });

/** Puts a changed campaign wherever it is shown. */
export function applyCampaign(client: QueryClient, told: Campaign) {
  changeQueries<CampaignPages>(client, campaignKeys.pages, (pages, [, , search]) =>
    foldIntoPages(pages, told, String(search)),
  );
  changeQueries<Campaign>(client, campaignKeys.record(told.id), (known) => newerOf(known, told));
}

/** Takes a deleted campaign from wherever it is shown; who looks at it alone asks for it again. */
export function applyDeletion(client: QueryClient, id: number) {
  changeQueries<CampaignPages>(client, campaignKeys.pages, (pages) => dropFromPages(pages, id));
  void client.invalidateQueries({ queryKey: campaignKeys.record(id) });
}
