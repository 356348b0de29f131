import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Announcement = Schemas['Announcement'];
export type AnnouncementInput = Partial<Schemas['AnnouncementInputRequest']>;
export type AnnouncementPage = Schemas['AnnouncementPage'];
