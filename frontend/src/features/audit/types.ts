import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type AuditEntry = Schemas['AuditEntry'];
export type AuditPage = Schemas['AuditPage'];
