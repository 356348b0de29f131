import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Company = Schemas['CompanyRecord'];
export type CompanyPage = Schemas['CompanyPage'];
export type CompanyInput = Schemas['NewCompanyRequest'];
export type Recurrence = Company['recurrence'];
