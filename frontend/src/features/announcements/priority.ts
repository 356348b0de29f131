import type { Announcement } from './types';

export type Priority = Announcement['priority'];

export const PRIORITIES: readonly Priority[] = [1, 2, 3];

/** The edge colour for the priority: red, orange, grey. */
export const EDGES = {
  1: 'status.danger.solid',
  2: 'status.waiting.solid',
  3: 'border.control',
} as const;

export const TONES = { 1: 'danger', 2: 'waiting', 3: 'neutral' } as const;
