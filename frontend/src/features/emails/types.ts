import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Email = Schemas['Email'];
export type EmailPage = Schemas['EmailPage'];
export type SentEmails = Schemas['SentEmails'];
