import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type OptOut = Schemas['OptOut'];
export type OptOutPage = Schemas['OptOutPage'];
export type OptOutWay = OptOut['by'];
