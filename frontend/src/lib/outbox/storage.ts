/**
 * Unsent messages in the browser's storage. Each has a key of its own, so that two tabs do not
 * overwrite each other's messages.
 */

import { KEPT_UNSENT } from '@/lib/keptWork';
import { forgetFile, forgetOrphans, keepFile } from './files';
import type { Unsent } from './types';

/** More unsent messages of a user than this are not kept. */
const MAX_COUNT = 100;
const MAX_AGE_MS = 30 * 86_400_000;

const prefixOf = (name: string, userId: number) => `${KEPT_UNSENT}${name}:${userId}:`;

const keysOf = (prefix: string) =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefix));

const keyOf = (name: string, { userId, clientId }: Unsent) => prefixOf(name, userId) + clientId;

/** Stores the state of a message; returns whether a reload will find it. */
export function writeUnsent(name: string, item: Unsent): boolean {
  const key = keyOf(name, item);
  const isNew = localStorage.getItem(key) === null;
  if (isNew && keysOf(prefixOf(name, item.userId)).length >= MAX_COUNT) return false;
  try {
    const { file, ...rest } = item;
    localStorage.setItem(
      key,
      JSON.stringify({ ...rest, hasFile: file !== null, ...(file && { previewUrl: null }) }),
    );
    return true;
  } catch {
    // The storage is full or forbidden.
    return false;
  }
}

/** Stores a message with its file; returns whether a reload will find both. */
export async function keepUnsent(name: string, item: Unsent): Promise<boolean> {
  if (!item.file) return writeUnsent(name, item);
  return (await keepFile(item.clientId, item.file)) && writeUnsent(name, item);
}

export function eraseUnsent(name: string, item: Unsent) {
  localStorage.removeItem(keyOf(name, item));
  if (item.file) void forgetFile(item.clientId);
}

export const isStored = (name: string, item: Unsent) =>
  localStorage.getItem(keyOf(name, item)) !== null;

/** The id of the message that a storage key belongs to; null for other keys. */
export function clientIdOf(name: string, userId: number, key: string | null): string | null {
  const prefix = prefixOf(name, userId);
  return key?.startsWith(prefix) ? key.slice(prefix.length) : null;
}

type Stored = Unsent & { hasFile: boolean };

function parse(key: string): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as Stored;
  } catch {
    return null;
  }
}

/** The stored messages of a user, in the order in which they were written. */
export function storedUnsent(name: string, userId: number): Stored[] {
  return keysOf(prefixOf(name, userId))
    .flatMap((key) => parse(key) ?? [])
    .sort((left, right) => left.position - right.position);
}

/** Deletes what nobody came back for, of every user of this browser. */
export function forgetOld(now = Date.now()) {
  const keys = keysOf(KEPT_UNSENT);
  const isRecent = (key: string) => now - Date.parse(parse(key)?.createdAt ?? '') < MAX_AGE_MS;
  const kept = keys.filter(isRecent);
  for (const key of keys) if (!isRecent(key)) localStorage.removeItem(key);
  void forgetOrphans((clientId) => kept.some((key) => key.endsWith(clientId)));
}
