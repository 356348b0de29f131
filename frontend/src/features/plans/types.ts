import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Plan = Schemas['Plan'];
export type PlanInput = Schemas['PlanInputRequest'];
