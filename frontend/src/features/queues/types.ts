import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Queue = Schemas['Queue'];
export type QueueWithOptions = Schemas['QueueWithOptions'];
export type QueueInput = Schemas['QueueInputRequest'];
export type QueueForm = Schemas['QueueForm'];
export type QueueUsage = Schemas['QueueUsage'];
