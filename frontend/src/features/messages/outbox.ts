import { create } from 'zustand';
import { ApiError } from '@/lib/api/errors';
import { newClientId } from '@/lib/clientId';
import { fileAddress, kindOfFile } from '@/lib/files';
import { queryClient } from '@/lib/queryClient';
import { errorMessage } from '@/lib/toast';
import { useSession } from '@/stores/session';
import { sendFile, sendText } from './api';
import { storeMessages } from './cache';
import type { StoredFile } from './composer/composition';
import { sendStored } from './storedFiles';
import type { Message } from './types';

const KEY = 'outbox';
/** A reload broke it off; the same clientId makes another try harmless. */
export const INTERRUPTED = 'INTERRUPTED';

/** Something written here that the server has not taken yet. */
export interface OutboxItem {
  clientId: string;
  userId: number;
  ticketId: number;
  body: string;
  quoted: Message | null;
  file: File | null;
  /** A quick message's file, which the server copies. */
  stored: StoredFile | null;
  /** A picture of the file, for what can be shown. */
  previewUrl: string | null;
  createdAt: string;
  /** 'stored': the live event was faster than the answer; it is shown as a message already. */
  state: 'queued' | 'sending' | 'stored' | 'failed';
  /** The share of the file that has left, 0 to 1. */
  progress: number;
  code: string;
  reason: string;
}

/** Unsent texts survive a reload, as drafts do; files cannot. */
function restored(): OutboxItem[] {
  try {
    const items = JSON.parse(localStorage.getItem(KEY) ?? '[]') as OutboxItem[];
    return items.map((item) => ({
      ...item,
      state: 'failed',
      code: item.code || INTERRUPTED,
    }));
  } catch {
    return [];
  }
}

export const useOutbox = create<{ items: OutboxItem[] }>(() => ({ items: restored() }));

useOutbox.subscribe(({ items }) => {
  const texts = items.filter(({ file, state }) => !file && state !== 'stored');
  if (texts.length > 0) localStorage.setItem(KEY, JSON.stringify(texts));
  else localStorage.removeItem(KEY);
});

const controllers = new Map<string, AbortController>();
const draining = new Set<number>();

const items = () => useOutbox.getState().items;

function update(clientId: string, changes: Partial<OutboxItem>) {
  useOutbox.setState(({ items: before }) => ({
    items: before.map((item) => (item.clientId === clientId ? { ...item, ...changes } : item)),
  }));
}

interface Outgoing {
  ticketId: number;
  body: string;
  quoted: Message | null;
  file: File | null;
  stored?: StoredFile | null;
}

/** Shows it at once and sends it after what was written before it. */
export function send({ ticketId, body, quoted, file, stored = null }: Outgoing) {
  const { user } = useSession.getState();
  if (!user) return;
  const kind = file && kindOfFile(file);
  const item: OutboxItem = {
    clientId: newClientId(),
    userId: user.id,
    ticketId,
    body,
    quoted,
    file,
    stored,
    previewUrl: stored
      ? fileAddress(stored.mediaPath)
      : file && kind !== 'application'
        ? URL.createObjectURL(file)
        : null,
    createdAt: new Date().toISOString(),
    state: 'queued',
    progress: 0,
    code: '',
    reason: '',
  };
  useOutbox.setState(({ items: before }) => ({ items: [...before, item] }));
  void drain(ticketId);
}

/**
 * Waits until nothing of a conversation is on its way any more; answers whether the server has
 * taken all of it. What had failed before does not count.
 */
export function whenTaken(ticketId: number): Promise<boolean> {
  const own = () => items().filter((item) => item.ticketId === ticketId);
  const failed = new Set(own().flatMap((item) => (item.state === 'failed' ? item.clientId : [])));
  return new Promise((resolve) => {
    const look = () => {
      const rest = own().filter(({ clientId }) => !failed.has(clientId));
      if (rest.some(({ state }) => state !== 'failed')) return;
      stop();
      resolve(rest.length === 0);
    };
    const stop = useOutbox.subscribe(look);
    look();
  });
}

/** Tries a failed one again. */
export function resendItem(clientId: string) {
  const item = items().find((each) => each.clientId === clientId);
  if (!item) return;
  update(clientId, { state: 'queued', progress: 0, code: '', reason: '' });
  void drain(item.ticketId);
}

/** Takes an unsent one away; what is on its way is broken off. */
export function removeItem(clientId: string) {
  controllers.get(clientId)?.abort();
  const item = items().find((each) => each.clientId === clientId);
  if (item?.previewUrl) URL.revokeObjectURL(item.previewUrl);
  useOutbox.setState(({ items: before }) => ({
    items: before.filter((each) => each.clientId !== clientId),
  }));
}

/** A live event may bring our message before the answer of the call that sent it, or without it. */
export function settleByEvent({ clientId }: Message) {
  const item = items().find((each) => each.clientId === clientId);
  if (item?.state === 'sending') update(item.clientId, { state: 'stored' });
  if (item?.state === 'failed') removeItem(item.clientId);
}

/** One after another, so that they arrive in the order they were written. */
async function drain(ticketId: number) {
  if (draining.has(ticketId)) return;
  draining.add(ticketId);
  for (;;) {
    const item = items().find((each) => each.ticketId === ticketId && each.state === 'queued');
    if (!item) break;
    await deliver(item);
  }
  draining.delete(ticketId);
}

async function deliver(item: OutboxItem) {
  const { clientId, ticketId, body, quoted, file, stored } = item;
  const controller = new AbortController();
  controllers.set(clientId, controller);
  update(clientId, { state: 'sending' });
  const outgoing = { ticketId, body, quotedId: quoted?.id ?? null, clientId };
  try {
    const messages = file
      ? await sendFile(outgoing, file, controller.signal, (progress) =>
          update(clientId, { progress }),
        )
      : stored
        ? [await sendStored(outgoing, stored, controller.signal)]
        : [await sendText(outgoing, controller.signal)];
    storeMessages(queryClient, ticketId, messages);
    removeItem(clientId);
  } catch (error) {
    const now = items().find((each) => each.clientId === clientId);
    if (now?.state === 'stored') removeItem(clientId);
    else if (!controller.signal.aborted) {
      const code = error instanceof ApiError ? error.code : '';
      update(clientId, { state: 'failed', code, reason: errorMessage(error) });
    }
  } finally {
    controllers.delete(clientId);
  }
}
