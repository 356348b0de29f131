import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Campaign = Schemas['Campaign'];
export type CampaignStatus = Campaign['status'];

export interface CampaignPage {
  records: Campaign[];
  count: number;
  hasMore: boolean;
}
export type CampaignPages = InfiniteData<CampaignPage, number>;
