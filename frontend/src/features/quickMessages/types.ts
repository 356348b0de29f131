import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type QuickMessage = Schemas['QuickMessage'];
export type QuickMessageInput = Partial<Schemas['QuickMessageInputRequest']>;
export type QuickMessagePage = Schemas['QuickMessagePage'];
