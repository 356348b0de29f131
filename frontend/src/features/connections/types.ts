import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Connection = Schemas['Connection'];
export type ConnectionInput = Schemas['ConnectionWriteRequest'];
