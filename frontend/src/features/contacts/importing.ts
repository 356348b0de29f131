import { isRunning } from '@/lib/sheets';
import type { ContactImport } from './types';

/** Of a cached and a received import, the newer one, or the one with more progress. */
export function foldImport(
  cached: ContactImport | null | undefined,
  told: ContactImport,
): ContactImport {
  if (!cached || cached.id < told.id) return told;
  if (cached.id > told.id) return cached;
  const isOlder = isRunning(cached)
    ? isRunning(told) && told.rowsRead < cached.rowsRead
    : isRunning(told);
  return isOlder ? cached : told;
}
