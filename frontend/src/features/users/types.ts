import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type User = Schemas['User'];
export type UserInput = Schemas['UserChangesRequest'];
export type UsersPage = Schemas['UserPage'];
