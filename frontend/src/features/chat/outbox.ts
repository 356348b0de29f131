import { create } from 'zustand';
import { newClientId } from '@/lib/clientId';
import { kindOfFile } from '@/lib/files';
import { changeQueries, queryClient } from '@/lib/queryClient';
import { errorMessage } from '@/lib/toast';
import { useSession } from '@/stores/session';
import { sendChatFile, sendChatText } from './api';
import { foldMessage, type MessagePages } from './fold';
import { chatKeys } from './keys';

const KEY = 'chatOutbox';

/** A message from this browser that the server has not stored yet. */
export interface OutboxItem {
  clientId: string;
  userId: number;
  chatId: number;
  text: string;
  file: File | null;
  /** A preview of the file, if the browser can show it. */
  previewUrl: string | null;
  createdAt: string;
  state: 'queued' | 'sending' | 'failed';
  /** The uploaded share of the file, 0 to 1. */
  progress: number;
  /** The reason of the failure; '' if a reload interrupted the request. */
  reason: string;
}

/** Unsent texts survive a reload, like drafts; files cannot. */
function restored(): OutboxItem[] {
  try {
    const items = JSON.parse(localStorage.getItem(KEY) ?? '[]') as OutboxItem[];
    return items.map((item) => ({ ...item, state: 'failed' }));
  } catch {
    return [];
  }
}

export const useChatOutbox = create<{ items: OutboxItem[] }>(() => ({ items: restored() }));

useChatOutbox.subscribe(({ items }) => {
  const texts = items.filter(({ file }) => !file);
  if (texts.length > 0) localStorage.setItem(KEY, JSON.stringify(texts));
  else localStorage.removeItem(KEY);
});

const controllers = new Map<string, AbortController>();
const draining = new Set<number>();
const items = () => useChatOutbox.getState().items;

function update(clientId: string, changes: Partial<OutboxItem>) {
  useChatOutbox.setState(({ items: before }) => ({
    items: before.map((item) => (item.clientId === clientId ? { ...item, ...changes } : item)),
  }));
}

/** Shows the message at once and sends it after all earlier ones. */
export function send(chatId: number, text: string, file: File | null) {
  const { user } = useSession.getState();
  if (!user) return;
  const shows = file && kindOfFile(file) !== 'application';
  const item: OutboxItem = {
    clientId: newClientId(),
    userId: user.id,
    chatId,
    text,
    file,
    previewUrl: shows ? URL.createObjectURL(file) : null,
    createdAt: new Date().toISOString(),
    state: 'queued',
    progress: 0,
    reason: '',
  };
  useChatOutbox.setState(({ items: before }) => ({ items: [...before, item] }));
  void drain(chatId);
}

/** Retries a failed message with the same id, so that it is never posted twice. */
export function resendItem(clientId: string) {
  const item = items().find((each) => each.clientId === clientId);
  if (!item) return;
  update(clientId, { state: 'queued', progress: 0, reason: '' });
  void drain(item.chatId);
}

/** Removes an unsent message; aborts its request if it is running. */
export function removeItem(clientId: string) {
  controllers.get(clientId)?.abort();
  const item = items().find((each) => each.clientId === clientId);
  if (item?.previewUrl) URL.revokeObjectURL(item.previewUrl);
  useChatOutbox.setState(({ items: before }) => ({
    items: before.filter((each) => each.clientId !== clientId),
  }));
}

/**
 * Called for a message from a live event: one that seemed to have failed here was stored after all.
 */
export function settleByEvent(clientId: string | null) {
  const item = items().find((each) => each.clientId === clientId);
  if (item?.state === 'failed') removeItem(item.clientId);
}

/** One after another, so that they arrive in the order in which they were written. */
async function drain(chatId: number) {
  if (draining.has(chatId)) return;
  draining.add(chatId);
  for (;;) {
    const item = items().find((each) => each.chatId === chatId && each.state === 'queued');
    if (!item) break;
    await deliver(item);
  }
  draining.delete(chatId);
}

async function deliver(item: OutboxItem) {
  const { clientId, chatId, file } = item;
  const controller = new AbortController();
  controllers.set(clientId, controller);
  update(clientId, { state: 'sending' });
  try {
    const message = file
      ? await sendChatFile(item, file, controller.signal, (progress) =>
          update(clientId, { progress }),
        )
      : await sendChatText(item);
    changeQueries<MessagePages>(queryClient, chatKeys.messages(chatId), (data) =>
      foldMessage(data, message),
    );
    removeItem(clientId);
  } catch (error) {
    if (!controller.signal.aborted)
      update(clientId, { state: 'failed', reason: errorMessage(error) });
  } finally {
    controllers.delete(clientId);
  }
}
