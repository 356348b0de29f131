import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import { changeQueries } from '@/lib/queryClient';
import { dropFromPages, foldIntoPages } from './fold';
import { campaignKeys } from './keys';
import { readSettings } from './settings';
import type {
  Campaign,
  CampaignInput,
  CampaignPage,
  CampaignPages,
  CampaignSetting,
  CampaignSettingsInput,
  Estimate,
  Preview,
  Segment,
  SegmentCount,
  SegmentInput,
  SegmentPage,
  SegmentRules,
  TestSend,
  TestSendInput,
} from './types';

export type * from './types';

const campaigns = {
  path: '/campaigns',
  keys: campaignKeys,
  rowsOf: ({ records }: CampaignPage) => records,
};

/** The company's campaigns, newest first. */
export const campaignPagesQuery = (search: string) => pagesQuery(campaigns, search);

/** Updates a campaign everywhere in the cache. */
export function applyCampaign(client: QueryClient, told: Campaign) {
  changeQueries<CampaignPages>(client, campaignKeys.pages, (pages, [, , search]) =>
    foldIntoPages(pages, told, String(search)),
  );
}

/** Removes a deleted campaign from all cached lists. */
export function applyDeletion(client: QueryClient, id: number) {
  changeQueries<CampaignPages>(client, campaignKeys.pages, (pages) => dropFromPages(pages, id));
}

/** Creates a campaign, or changes the one with the `id`. */
export function useSaveCampaign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: { id?: number | undefined; fields: CampaignInput }) =>
      id === undefined
        ? api.post<Campaign>('/campaigns', fields)
        : api.put<Campaign>(`/campaigns/${id}`, fields),
    onSuccess: (campaign) => applyCampaign(client, campaign),
  });
}

export function useDeleteCampaign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/campaigns/${id}`),
    onSuccess: (_answer, id) => applyDeletion(client, id),
  });
}

/** Attaches or replaces the file; `onProgress` gets the uploaded share. */
export function uploadMedia(id: number, file: File, onProgress: (share: number) => void) {
  const form = new FormData();
  form.append('file', file, file.name);
  return api.upload<Campaign>(`/campaigns/${id}/media-upload`, form, { onProgress });
}

export const removeMedia = (id: number) => api.delete<Campaign>(`/campaigns/${id}/media-upload`);

/** Cancels a running or scheduled campaign, or resumes a cancelled one. */
function useTurn(verb: 'cancel' | 'restart') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post(`/campaigns/${id}/${verb}`),
    // The live event brings the new state; if it is missed, this fetch corrects the list.
    onSettled: () => void client.invalidateQueries({ queryKey: campaignKeys.all }),
  });
}

export const useCancelCampaign = () => useTurn('cancel');
export const useRestartCampaign = () => useTurn('restart');

/** Starts a campaign now. */
export function useStartCampaign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post<Campaign>(`/campaigns/${id}/start`),
    onSuccess: (campaign) => applyCampaign(client, campaign),
  });
}

/** The estimate for a start now: recipients, end and cost. */
export const estimateQuery = (id: number) =>
  queryOptions({
    queryKey: campaignKeys.estimate(id),
    queryFn: ({ signal }) => api.get<Estimate>(`/campaigns/${id}/estimate`, undefined, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/**
 * The stored texts as a contact would get them; without a contact, as the first recipient would.
 */
export const previewQuery = (id: number, contactId: number | null) =>
  queryOptions({
    queryKey: campaignKeys.preview(id, contactId),
    queryFn: ({ signal }) => api.get<Preview>(`/campaigns/${id}/preview`, { contactId }, signal),
    staleTime: 0,
    retry: false,
  });

/** Sends the stored campaign to test numbers, outside of its counts. */
export const useTestSend = () =>
  useMutation({
    mutationFn: ({ id, ...body }: TestSendInput & { id: number }) =>
      api.post<TestSend>(`/campaigns/${id}/trial`, body),
  });

/** The pace of the company's campaigns, and its variables. */
export const campaignSettingsQuery = () =>
  queryOptions({
    queryKey: campaignKeys.settings,
    queryFn: ({ signal }) => api.get<CampaignSetting[]>('/campaign-settings', undefined, signal),
    select: readSettings,
  });

/** Changes the named settings. */
export function useSaveCampaignSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: CampaignSettingsInput) =>
      api.post<CampaignSetting[]>('/campaign-settings', { settings }),
    onSuccess: (rows) => client.setQueryData(campaignSettingsQuery().queryKey, rows),
  });
}

const segments = {
  path: '/segments',
  keys: { all: campaignKeys.segments, pages: campaignKeys.segmentPages },
  rowsOf: ({ records }: SegmentPage) => records,
};

export const segmentPagesQuery = (search: string) => pagesQuery(segments, search);

/** All segments by name, to choose from. */
export const segmentOptionsQuery = () =>
  queryOptions({
    queryKey: campaignKeys.segmentOptions,
    queryFn: ({ signal }) => api.get<Segment[]>('/segments/list', undefined, signal),
  });

/** The number of contacts that match rules now. */
export const segmentCountQuery = (rules: SegmentRules) =>
  queryOptions({
    queryKey: [...campaignKeys.segmentCount, rules],
    queryFn: () => api.post<SegmentCount>('/segments/count', { rules }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const useSaveSegment = (id?: number) => useSaveRow<Segment, SegmentInput>(segments, id);
export const useDeleteSegment = () => useDeleteRow(segments);
