import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { noteOf, writeNote } from './drafts';
import { takeNote, takeNotes } from './noteSync';

let saved: [string, unknown][];
let isOffline: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  saved = [];
  isOffline = false;
  openSession({ token: 'token', user: makeUser() });
  for (const ticketId of [50, 51]) writeNote(7, ticketId, '', true);
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    if (isOffline) return Promise.reject(new TypeError('Failed to fetch'));
    saved.push([url, JSON.parse(request.body as string)]);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
});
afterEach(() => {
  closeSession();
  vi.useRealTimers();
});

test('a note is saved once the user pauses', async () => {
  for (const text of ['L', 'Li', 'Ligar']) writeNote(7, 50, text);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved).toEqual([['/api/tickets/50/draft', { note: 'Ligar' }]]);
  expect(noteOf(7, 50)).toMatchObject({ text: 'Ligar', isSaved: true });
});

test('what is typed here stays, what is saved follows the other browser', async () => {
  takeNote(7, 50, 'De lá');
  expect(noteOf(7, 50)?.text).toBe('De lá');
  writeNote(7, 50, 'De lá e daqui');
  takeNote(7, 50, 'Só de lá');
  expect(noteOf(7, 50)?.text).toBe('De lá e daqui');
  await vi.advanceTimersByTimeAsync(1_000);
  takeNotes(7, []);
  expect(noteOf(7, 50)).toBeUndefined();
});

test('a note that could not be saved is saved when the server is there again', async () => {
  isOffline = true;
  writeNote(7, 50, 'Sem rede');
  await vi.advanceTimersByTimeAsync(1_000);
  isOffline = false;
  takeNotes(7, [{ ticketId: 51, note: 'Outra' }]);
  await vi.advanceTimersByTimeAsync(0);
  expect(saved).toEqual([['/api/tickets/50/draft', { note: 'Sem rede' }]]);
  expect(noteOf(7, 50)?.text).toBe('Sem rede');
  expect(noteOf(7, 51)?.text).toBe('Outra');
});

test('a note of who has left is not saved for the next user of the browser', async () => {
  writeNote(7, 50, 'Só minha');
  closeSession();
  openSession({ token: 'other', user: makeUser({ id: 8 }) });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saved).toEqual([]);
  expect(noteOf(7, 50)).toMatchObject({ text: 'Só minha', isSaved: false });
});
