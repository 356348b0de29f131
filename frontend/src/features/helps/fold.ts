import type { LiveEvent } from '@/lib/api/types';
import type { Help } from './types';

/** Applies an event to all helps, in order of creation; an older state changes nothing. */
export function foldHelp(data: Help[], event: LiveEvent<'help'>): Help[] {
  if (event.action === 'delete') return data.filter(({ id }) => id !== event.id);
  const { record } = event;
  const known = data.find(({ id }) => id === record.id);
  if (known && known.updatedAt > record.updatedAt) return data;
  const others = data.filter(({ id }) => id !== record.id);
  return [...others, record].sort((left, right) => left.id - right.id);
}
