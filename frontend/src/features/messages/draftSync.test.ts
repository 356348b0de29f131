import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeSession, openSession } from '@/stores/session';
import { useUnsent } from '@/stores/unsent';
import { makeUser } from '@/test/user';
import { syncDrafts } from './draftSync';
import { readDraft, writeDraft } from './drafts';

/** The server's drafts, and what this browser has saved. */
let kept: Record<number, string>;
let saved: [string, string][];
const LATER = '2999-01-01T00:00:00Z';

beforeEach(async () => {
  kept = {};
  saved = [];
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    if (request.method === 'PUT') {
      saved.push([url, (JSON.parse(request.body as string) as { text: string }).text]);
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const drafts = Object.entries(kept).map(([ticketId, text]) => ({
      ticketId: Number(ticketId),
      text,
      updatedAt: LATER,
    }));
    return Promise.resolve(new Response(JSON.stringify({ drafts })));
  });
  openSession({ token: 'token', user: makeUser() });
  await syncDrafts();
});
afterEach(() => {
  closeSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a text is saved once the user pauses', async () => {
  vi.useFakeTimers();
  for (const text of ['o', 'ol', 'olá']) writeDraft(7, 50, { text });
  expect(saved).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved).toEqual([['/api/tickets/50/draft', 'olá']]);
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
  writeDraft(7, 50, { text: 'sem rede' });
  await syncDrafts();
  expect(readDraft(7, 50).text).toBe('sem rede');
  expect(saved).toEqual([['/api/tickets/50/draft', 'sem rede']]);
});
