import { create } from 'zustand';
import { ApiError } from '@/lib/api/errors';
import { newClientId } from '@/lib/clientId';
import { errorMessage } from '@/lib/toast';
import { useConnection } from '@/stores/connection';
import { useSession } from '@/stores/session';
import { keptFile } from './files';
import {
  clientIdOf,
  eraseUnsent,
  forgetOld,
  isStored,
  keepUnsent,
  storedUnsent,
  writeUnsent,
} from './storage';
import type { Unsent } from './types';

/** No answer, no session, too many requests, or a server that restarts: the same will pass later. */
const PASSING = new Set([0, 401, 408, 425, 429, 502, 503, 504]);
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** An answer that takes longer will not come; the upload of a file may take any time. */
const ANSWER_MS = 30_000;
const TOO_LATE = 'too late';
/** A message that waited longer may have lost its sense: the user decides. */
const MAX_WAIT_MS = 86_400_000;

const isPassing = (error: unknown) => error instanceof ApiError && PASSING.has(error.status);

interface Options<Own> {
  /** Names the messages in the browser's storage. */
  name: string;
  /** The conversation of a message; its messages are sent one after another. */
  placeOf: (item: Own) => number;
  /** Posts a message and stores the answer. */
  post: (
    item: Own & Unsent,
    signal: AbortSignal,
    onProgress: (progress: number) => void,
  ) => Promise<unknown>;
}

/**
 * The messages of a feature that the server does not have yet. They are shown at once, sent in
 * order, kept across reloads, and sent by themselves when the server can be reached again. What the
 * server refuses becomes 'failed', with a reason.
 */
export function createOutbox<Own extends object>({ name, placeOf, post }: Options<Own>) {
  type Item = Own & Unsent;
  const useItems = create<{ items: Item[] }>(() => ({ items: [] }));
  const controllers = new Map<string, AbortController>();
  const draining = new Set<number>();
  let loading = Promise.resolve();
  let retryTimer = 0;
  let retryMs = FIRST_RETRY_MS;
  let lastPosition = 0;

  const items = () => useItems.getState().items;
  const find = (clientId: string) => items().find((each) => each.clientId === clientId);
  const userId = () => {
    const { status, user } = useSession.getState();
    return status === 'in' ? user?.id : undefined;
  };

  function update(clientId: string, changes: Partial<Unsent>) {
    useItems.setState(({ items: before }) => ({
      items: before.map((item) => (item.clientId === clientId ? { ...item, ...changes } : item)),
    }));
    const item = find(clientId);
    if (item?.isKept && !('progress' in changes && Object.keys(changes).length === 1))
      writeUnsent(name, item);
  }

  /** Shows a message at once and sends it after all earlier ones. */
  function add(own: Own, file: File | null, previewUrl: string | null) {
    const user = userId();
    if (user === undefined) return;
    lastPosition = Math.max(Date.now(), lastPosition + 1);
    const common: Unsent = {
      clientId: newClientId(),
      userId: user,
      file,
      previewUrl,
      createdAt: new Date().toISOString(),
      position: lastPosition,
      askedAt: Date.now(),
      state: 'queued',
      waits: false,
      isKept: false,
      progress: 0,
      code: '',
      reason: '',
    };
    let item: Item = { ...own, ...common };
    if (!file) item = { ...item, isKept: writeUnsent(name, { ...item, isKept: true }) };
    useItems.setState(({ items: before }) => ({ items: [...before, item] }));
    if (file) void keepFileOf(item);
    void drain(placeOf(item));
  }

  async function keepFileOf(item: Item) {
    const isKept = await keepUnsent(name, { ...item, isKept: true });
    if (!isKept) return;
    // It may have been sent or discarded meanwhile.
    if (find(item.clientId)) update(item.clientId, { isKept });
    else eraseUnsent(name, item);
  }

  /** Retries a failed message. */
  function resend(clientId: string) {
    const item = find(clientId);
    if (!item) return;
    const askedAt = Date.now();
    update(clientId, { state: 'queued', askedAt, progress: 0, code: '', reason: '' });
    void drain(placeOf(item));
  }

  /** Removes an unsent message; aborts its request if it is running. */
  function remove(clientId: string) {
    controllers.get(clientId)?.abort();
    const item = find(clientId);
    if (!item) return;
    if (item.file && item.previewUrl) URL.revokeObjectURL(item.previewUrl);
    eraseUnsent(name, item);
    useItems.setState(({ items: before }) => ({
      items: before.filter((each) => each.clientId !== clientId),
    }));
  }

  /** A live event may deliver the message before the answer of the sending call, or without it. */
  function settle(clientId: string | null) {
    const item = clientId === null ? undefined : find(clientId);
    if (item?.state === 'sending') update(item.clientId, { state: 'stored' });
    else if (item && item.state !== 'stored') remove(item.clientId);
  }

  /**
   * Waits until no message of a conversation is being sent; returns whether the server has accepted
   * all. Earlier failures do not count; a message that waits for the server is not accepted.
   */
  function whenTaken(place: number): Promise<boolean> {
    const own = () => items().filter((item) => placeOf(item) === place);
    const failed = new Set(own().flatMap((item) => (item.state === 'failed' ? item.clientId : [])));
    return new Promise((resolve) => {
      const look = () => {
        const rest = own().filter(({ clientId }) => !failed.has(clientId));
        const stands = rest.some(({ state, waits }) => state === 'queued' && waits);
        if (!stands && rest.some(({ state }) => state !== 'failed')) return;
        stop();
        resolve(rest.length === 0);
      };
      const stop = useItems.subscribe(look);
      look();
    });
  }

  /** One after another, so that they arrive in the order in which they were written. */
  async function drain(place: number) {
    if (draining.has(place)) return;
    draining.add(place);
    await loading;
    while (userId() !== undefined) {
      const item = items().find((each) => placeOf(each) === place && each.state === 'queued');
      if (!item || !(await deliver(item))) break;
    }
    draining.delete(place);
  }

  /** Returns whether the next message may be sent. */
  async function deliver(item: Item): Promise<boolean> {
    const { clientId } = item;
    if (Date.now() - item.askedAt > MAX_WAIT_MS) {
      const error = new ApiError(0, 'ERR_UNSENT_TOO_LONG', '');
      update(clientId, { state: 'failed', code: error.code, reason: errorMessage(error) });
      return true;
    }
    const controller = new AbortController();
    controllers.set(clientId, controller);
    const timer = item.file ? undefined : setTimeout(() => controller.abort(TOO_LATE), ANSWER_MS);
    update(clientId, { state: 'sending' });
    try {
      await post(item, controller.signal, (progress) => update(clientId, { progress }));
      remove(clientId);
      retryMs = FIRST_RETRY_MS;
    } catch (error) {
      const now = find(clientId);
      if (now?.state === 'stored') remove(clientId);
      else if (now && (controller.signal.reason === TOO_LATE || isPassing(error))) {
        update(clientId, { state: 'queued', waits: true, progress: 0 });
        retryLater();
        return false;
      } else if (now && !controller.signal.aborted) {
        const code = error instanceof ApiError ? error.code : '';
        update(clientId, { state: 'failed', waits: false, code, reason: errorMessage(error) });
      }
    } finally {
      clearTimeout(timer);
      controllers.delete(clientId);
    }
    return true;
  }

  function retryLater() {
    window.clearTimeout(retryTimer);
    retryTimer = window.setTimeout(flush, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  /** Sends everything that waits, also what a closed tab has left. */
  function flush() {
    window.clearTimeout(retryTimer);
    const user = userId();
    if (user === undefined) return;
    loading = load(user);
    void loading.then(() => new Set(items().map(placeOf)).forEach((place) => void drain(place)));
  }

  function reached() {
    retryMs = FIRST_RETRY_MS;
    flush();
  }

  async function load(user: number) {
    const missing = storedUnsent(name, user).filter(({ clientId }) => !find(clientId));
    const found = await Promise.all(
      missing.map(async ({ hasFile, ...row }) => {
        const file = hasFile ? await keptFile(row.clientId) : null;
        if (hasFile && !file) {
          eraseUnsent(name, row);
          return [];
        }
        const state = row.state === 'failed' ? 'failed' : 'queued';
        const previewUrl = file ? URL.createObjectURL(file) : row.previewUrl;
        return [{ ...row, file, previewUrl, state, progress: 0 } as Item];
      }),
    );
    // The session may have ended meanwhile, and another tab may have sent them.
    const added = found.flat().filter((item) => !find(item.clientId) && isStored(name, item));
    if (userId() !== user || added.length === 0) return;
    useItems.setState(({ items: before }) => ({
      items: [...before, ...added].sort((left, right) => left.position - right.position),
    }));
  }

  useSession.subscribe((now, before) => {
    const isIn = now.status === 'in';
    const wasIn = before.status === 'in';
    if (wasIn && (!isIn || now.user?.id !== before.user?.id)) {
      // They stay in the storage, for the user's next session.
      controllers.forEach((controller) => controller.abort());
      useItems.setState({ items: [] });
    }
    if (isIn && (!wasIn || now.user?.id !== before.user?.id)) {
      forgetOld();
      reached();
    }
  });
  useConnection.subscribe(({ state }, before) => {
    if (state === 'connected' && before.state !== 'connected') reached();
  });
  window.addEventListener('online', reached);
  window.addEventListener('storage', ({ key, newValue }) => {
    const user = userId();
    // Another tab has sent or discarded it.
    const clientId = newValue === null && user !== undefined ? clientIdOf(name, user, key) : null;
    if (clientId !== null && find(clientId)?.state !== 'sending') remove(clientId);
  });
  window.addEventListener('beforeunload', (event) => {
    if (items().some(({ isKept, state }) => !isKept && state !== 'stored')) event.preventDefault();
  });
  if (userId() !== undefined) reached();

  return { useItems, add, resend, remove, settle, whenTaken };
}
