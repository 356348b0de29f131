import type { Unsent } from './types';

/** An unsent text that has not been tried yet, with the given changes. */
export const makeUnsent = <Own extends object>(own: Own & Partial<Unsent>) => ({
  clientId: 'meu-envio',
  userId: 7,
  file: null,
  previewUrl: null,
  createdAt: '2026-03-03T15:00:00Z',
  position: 1,
  askedAt: Date.parse('2026-03-03T15:00:00Z'),
  state: 'queued' as Unsent['state'],
  waits: false,
  isKept: true,
  progress: 0,
  code: '',
  reason: '',
  ...own,
});
