import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Help = Schemas['Help'];
export type HelpInput = Partial<Schemas['HelpInputRequest']>;
export type HelpPage = Schemas['HelpPage'];
