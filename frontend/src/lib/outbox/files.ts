/** Files of unsent messages, kept in IndexedDB across reloads. */

const DATABASE = 'unsent';
const STORE = 'files';
/** A larger file is not kept: the browser could refuse it, or delete it with everything else. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** A file without its message is deleted after this time. */
const ORPHAN_MS = 3_600_000;

interface KeptFile {
  file: File;
  at: number;
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}

let opening: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opening ??= (async () => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return await answerOf(request);
  })();
  return opening;
}

async function files(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await database()).transaction(STORE, mode).objectStore(STORE);
}

/** Keeps a file; returns whether a reload will find it. */
export async function keepFile(clientId: string, file: File): Promise<boolean> {
  if (file.size > MAX_KEPT_BYTES) return false;
  try {
    await answerOf((await files('readwrite')).put({ file, at: Date.now() }, clientId));
    return true;
  } catch {
    // Private windows have no storage, and a full one takes no more.
    return false;
  }
}

/** Returns a kept file; null if the browser has it no more. */
export async function keptFile(clientId: string): Promise<File | null> {
  try {
    const store = await files('readonly');
    const kept = (await answerOf(store.get(clientId))) as KeptFile | undefined;
    return kept?.file ?? null;
  } catch {
    return null;
  }
}

export async function forgetFile(clientId: string) {
  try {
    await answerOf((await files('readwrite')).delete(clientId));
  } catch {
    // Nothing was kept.
  }
}

/** Deletes the files whose messages are gone. */
export async function forgetOrphans(isOwned: (clientId: string) => boolean) {
  try {
    const store = await files('readwrite');
    const cursor = store.openCursor();
    cursor.onsuccess = () => {
      const row = cursor.result;
      if (!row) return;
      const { at } = row.value as KeptFile;
      if (at < Date.now() - ORPHAN_MS && typeof row.key === 'string' && !isOwned(row.key))
        row.delete();
      row.continue();
    };
  } catch {
    // Nothing was kept.
  }
}
