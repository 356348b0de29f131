import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeSession, openSession } from '@/stores/session';
import { useUnsent } from '@/stores/unsent';
import { makeUser } from '@/test/user';
import { syncDrafts, takeDraft } from './draftSync';
import { readDraft, writeDraft } from './drafts';

/** The server's drafts, and what this browser has saved. */
let kept: Record<number, string>;
let saved: [string, string][];
/** When the server's drafts changed. */
let updatedAt: string;
let isOffline: boolean;
const LATER = '2999-01-01T00:00:00Z';
const EARLIER = new Date(Date.now() - 60_000).toISOString();

beforeEach(async () => {
  kept = {};
  saved = [];
  updatedAt = LATER;
  isOffline = false;
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    if (isOffline) return Promise.reject(new TypeError('Failed to fetch'));
    if (request.method === 'PUT') {
      saved.push([url, (JSON.parse(request.body as string) as { text: string }).text]);
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const drafts = Object.entries(kept).map(([ticketId, text]) => ({
      ticketId: Number(ticketId),
      text,
      updatedAt,
    }));
    return Promise.resolve(new Response(JSON.stringify({ drafts })));
  });
  openSession({ token: 'token', user: makeUser() });
  await syncDrafts();
});
afterEach(() => {
  closeSession();
  useUnsent.setState({ arrivals: {} });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first key is saved at once, and who types without a pause once a second', async () => {
  vi.useFakeTimers();
  const typed = 'Bom dia, já vou ver';
  for (let length = 1; length <= typed.length; length += 1) {
    writeDraft(7, 50, { text: typed.slice(0, length) });
    await vi.advanceTimersByTimeAsync(200);
  }
  // Nineteen keys in 3.8 seconds.
  expect(saved.map(([, text]) => text)).toEqual(['B', 'Bom d', 'Bom dia, j', 'Bom dia, já vou']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved.at(-1)).toEqual(['/api/tickets/50/draft', typed]);
  await vi.advanceTimersByTimeAsync(1_000);
  writeDraft(7, 50, { text: '' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved.at(-1)).toEqual(['/api/tickets/50/draft', '']);
});

test('a browser whose storage was cleared gets its texts back, and its rows show them', async () => {
  kept = { 50: '  Vou verificar ' };
  localStorage.clear();
  closeSession();
  openSession({ token: 'token', user: makeUser() });
  await waitFor(() => expect(readDraft(7, 50).text).toBe('  Vou verificar '));
  expect(useUnsent.getState().drafts).toEqual({ 50: 'Vou verificar' });
  // It came from there: it is not sent back.
  expect(saved).toEqual([]);
  closeSession();
  expect(useUnsent.getState().drafts).toEqual({});
});

test('what was sent in another browser is no draft any more', async () => {
  kept = { 50: 'olá' };
  await syncDrafts();
  kept = {};
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('');
});

test('what the server does not have yet is saved, not deleted', async () => {
  vi.useFakeTimers();
  isOffline = true;
  writeDraft(7, 50, { text: 'sem rede' });
  await vi.advanceTimersByTimeAsync(0);
  isOffline = false;
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('sem rede');
  expect(saved).toEqual([['/api/tickets/50/draft', 'sem rede']]);
});

test.each([
  ['an earlier', EARLIER],
  ['by a fast clock, a later', LATER],
])('a text that was sent offline does not return, with %s time at the server', async (_, time) => {
  vi.useFakeTimers();
  writeDraft(7, 50, { text: 'olá' });
  await vi.advanceTimersByTimeAsync(1_000);
  isOffline = true;
  writeDraft(7, 50, { text: '' });
  await vi.advanceTimersByTimeAsync(1_000);
  isOffline = false;
  saved = [];
  kept = { 50: 'olá' };
  updatedAt = time;
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('');
  expect(useUnsent.getState().drafts).toEqual({});
  await vi.waitFor(() => expect(saved).toEqual([['/api/tickets/50/draft', '']]));
  // The server knows, and nothing is left to tell.
  await vi.waitFor(() => expect(localStorage.getItem('drafts')).toBe('{}'));
});

test('an answer from before a text was sent does not bring it back', async () => {
  vi.useFakeTimers();
  writeDraft(7, 50, { text: 'olá' });
  await vi.advanceTimersByTimeAsync(1_000);
  const before = fetch;
  let answer: () => void = () => undefined;
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    if (request.method === 'PUT') return before(url, request);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return Response.json({ drafts: [{ ticketId: 50, text: 'olá', updatedAt: LATER }] });
  });
  const syncing = syncDrafts();
  writeDraft(7, 50, { text: '' });
  await vi.advanceTimersByTimeAsync(1_000);
  answer();
  await syncing;
  expect(readDraft(7, 50).text).toBe('');
});

test('a newer text that the server lacks is saved over its older one', async () => {
  vi.useFakeTimers();
  isOffline = true;
  writeDraft(7, 50, { text: 'olá, tudo bem?' });
  await vi.advanceTimersByTimeAsync(1_000);
  isOffline = false;
  kept = { 50: 'olá' };
  updatedAt = EARLIER;
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('olá, tudo bem?');
  await vi.waitFor(() => expect(saved).toEqual([['/api/tickets/50/draft', 'olá, tudo bem?']]));
});

test('what was typed after the first key outlives a session that ends within the pause', async () => {
  writeDraft(7, 50, { text: 'O' });
  writeDraft(7, 50, { text: 'O prazo' });
  await vi.waitFor(() => expect(saved).toEqual([['/api/tickets/50/draft', 'O']]));
  await vi.waitFor(() => expect(localStorage.getItem('drafts')).toContain('"saved":"O"'));
  closeSession();
  kept = { 50: 'O' };
  updatedAt = LATER;
  openSession({ token: 'token', user: makeUser() });
  await vi.waitFor(() => expect(saved.at(-1)).toEqual(['/api/tickets/50/draft', 'O prazo']));
  expect(readDraft(7, 50).text).toBe('O prazo');
});

test('opening a conversation does not make its emptied draft newer than another browser’s', async () => {
  isOffline = true;
  writeDraft(7, 50, { text: 'olá' }, Date.now() - 120_000);
  writeDraft(7, 50, { text: '' }, Date.now() - 120_000);
  // As the composer does when it is shown.
  writeDraft(7, 50, { text: '', stored: [] });
  isOffline = false;
  kept = { 50: 'de outro navegador' };
  updatedAt = EARLIER;
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('de outro navegador');
  expect(saved).toEqual([]);
});

test('the emptied draft of a ticket that is gone is not told for ever', async () => {
  writeDraft(7, 50, { text: 'olá' });
  writeDraft(7, 50, { text: '' });
  const before = fetch;
  vi.stubGlobal('fetch', (url: string, request: RequestInit) =>
    request.method === 'PUT'
      ? Promise.resolve(Response.json({ code: 'ERR_NO_TICKET_FOUND' }, { status: 404 }))
      : before(url, request),
  );
  await syncDrafts();
  await waitFor(() => expect(localStorage.getItem('drafts')).toBe('{}'));
});

test('an answer that is none leaves the texts of this browser as they are', async () => {
  writeDraft(7, 50, { text: 'olá' });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('[]')));
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('olá');
});

const event = (text: string) => ({
  action: 'update' as const,
  ticketId: 50,
  text,
  updatedAt: LATER,
});

test('what another browser types shows at once, unless this one has typed on', async () => {
  vi.useFakeTimers();
  takeDraft(event('de lá'));
  expect(readDraft(7, 50).text).toBe('de lá');
  expect(useUnsent.getState().arrivals[50]).toBe(1);
  // The same text is this browser's own, or is shown already.
  takeDraft(event('de lá'));
  expect(useUnsent.getState().arrivals[50]).toBe(1);
  writeDraft(7, 50, { text: 'de lá e daqui' });
  takeDraft(event('só de lá'));
  expect(readDraft(7, 50).text).toBe('de lá e daqui');
  await vi.advanceTimersByTimeAsync(1_000);
  takeDraft(event(''));
  expect(readDraft(7, 50).text).toBe('');
});
