import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Prompt = Schemas['Prompt'];
export type PromptInput = Schemas['PromptInputRequest'];
export type PromptUsage = Schemas['PromptUsage'];
export type PromptTestInput = Schemas['PromptTestInputRequest'];
export type PromptTest = Schemas['PromptTest'];
export type PromptsPage = Schemas['PromptPage'];
