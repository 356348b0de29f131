import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Chat = Schemas['Chat'];
export type ChatInput = Schemas['ChatInputRequest'];
export type ChatPage = Schemas['ChatPage'];
export type ChatMessage = Schemas['ChatMessage'];
export type ChatMessagePage = Schemas['ChatMessagePage'];
