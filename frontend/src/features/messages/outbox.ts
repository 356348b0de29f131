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
/** A reload interrupted the request; the same clientId makes a retry harmless. */
export const INTERRUPTED = 'INTERRUPTED';

/** A message from this browser that the server has not stored yet. */
export interface OutboxItem {
  clientId: string;
  userId: number;
  ticketId: number;
  body: string;
  quoted: Message | null;
  file: File | null;
  /** A file that is already on the server, which the server copies. */
  stored: StoredFile | null;
  /** A preview of the file, for images and videos. */
  previewUrl: string | null;
  createdAt: string;
  /** 'stored': the live event came before the answer; the message is already shown. */
  state: 'queued' | 'sending' | 'stored' | 'failed';
  /** The uploaded share of the file, 0 to 1. */
  progress: number;
  code: string;
  reason: string;
}

/** Unsent texts survive a reload, like drafts; files cannot. */
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

/** Shows the message at once and sends it after all earlier ones. */
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
 * Waits until no message of a conversation is being sent; returns whether the server has accepted
 * all. Earlier failures do not count.
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

/** Retries a failed message. */
export function resendItem(clientId: string) {
  const item = items().find((each) => each.clientId === clientId);
  if (!item) return;
  update(clientId, { state: 'queued', progress: 0, code: '', reason: '' });
  void drain(item.ticketId);
}

/** Removes an unsent message; aborts its request if it is running. */
export function removeItem(clientId: string) {
  controllers.get(clientId)?.abort();
  const item = items().find((each) => each.clientId === clientId);
  if (item?.previewUrl) URL.revokeObjectURL(item.previewUrl);
  useOutbox.setState(({ items: before }) => ({
    items: before.filter((each) => each.clientId !== clientId),
  }));
}

/** A live event may deliver the message before the answer of the sending call, or without it. */
export function settleByEvent({ clientId }: Message) {
  const item = items().find((each) => each.clientId === clientId);
  if (item?.state === 'sending') update(item.clientId, { state: 'stored' });
  if (item?.state === 'failed') removeItem(item.clientId);
}

/** One after another, so that they arrive in the order in which they were written. */
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
