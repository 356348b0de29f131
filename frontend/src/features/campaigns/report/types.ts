import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type CampaignReport = Schemas['CampaignReport'];
export type Timeline = Schemas['CampaignTimeline'];
export type TimelinePoint = Timeline['points'][number];
export type TimelineUnit = Timeline['unit'];
export type Recipient = Schemas['CampaignRecipient'];
export type RecipientPage = Schemas['CampaignRecipientPage'];
export type RecipientState = Recipient['state'];
export type Variant = CampaignReport['variants'][number];
