import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type User = Schemas['User'];
export type UserInput = Schemas['UserInputRequest'];
export type UsersPage = Schemas['UserPage'];
