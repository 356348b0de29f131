import type { Prompt } from './types';

export const makePrompt = (id: number, name: string, changes: Partial<Prompt> = {}): Prompt => ({
  id,
  name,
  prompt: 'Você é a Bia.',
  queueId: 3,
  queue: { id: 3, name: 'Vendas' },
  apiKey: '••••••••',
  maxTokens: 100,
  maxMessages: 10,
  temperature: 1,
  voice: 'texto',
  voiceKey: '',
  voiceRegion: '',
  baseUrl: '',
  model: '',
  usedBy: { queues: [], connections: [] },
  companyId: 2,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...changes,
});
