import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Campaign = Schemas['Campaign'];
export type CampaignStatus = Campaign['status'];
export type CampaignPage = Schemas['CampaignPage'];
export type CampaignPages = InfiniteData<CampaignPage, number>;
export type CampaignInput = Schemas['CampaignInputRequest'];
export type CampaignSetting = Schemas['CampaignSetting'];
export type CampaignSettingsInput = Schemas['CampaignSettingValuesRequest'];

/** A variable of the company, which texts write as `{key}`. */
export interface OwnVariable {
  key: string;
  value: string;
}

export interface CampaignSettings {
  messageInterval: number;
  longerIntervalAfter: number;
  greaterInterval: number;
  variables: OwnVariable[];
}

export type Estimate = Schemas['CampaignEstimate'];
export type Cost = Schemas['Cost'];

export type Preview = Schemas['CampaignPreview'];

export type TestSend = Schemas['Trial'];
export type SentTest = TestSend['sent'][number];
export type TestSendInput = Schemas['TrialInputRequest'];

export type Segment = Schemas['Segment'];
export type SegmentRules = Segment['rules'];
export type SegmentPage = Schemas['SegmentPage'];
export type SegmentInput = Schemas['SegmentInputRequest'];
export type SegmentCount = Schemas['SegmentCount'];
