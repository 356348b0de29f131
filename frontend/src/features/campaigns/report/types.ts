import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Report = Schemas['CampaignReport'];
export type Timeline = Schemas['CampaignTimeline'];
export type TimelinePoint = Timeline['points'][number];
export type TimelineUnit = Timeline['unit'];
export type Recipient = Schemas['CampaignRecipient'];
export type RecipientPage = Schemas['CampaignRecipientPage'];
export type RecipientState = Recipient['state'];
export type Variant = Report['variants'][number];
