import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Archive = Schemas['Archive'];
export type ArchiveState = Schemas['ArchiveState'];
export type ArchiveRequest = Schemas['ArchiveInputRequest'];
