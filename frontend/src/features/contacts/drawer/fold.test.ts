import { expect, test } from 'vitest';
import type { Ticket } from '@/features/tickets/api';
import { changesGallery, foldPastTicket, foldNote, dropPastTicket, pastTicketsOf } from './fold';
import { byMonth } from './months';
import { noteSchema } from './Notes';
import type { GalleryMessage, PastTicketPages, Note } from './types';

const note = (id: number) => ({ id, note: `Nota ${id}` }) as Note;
const ticket = (id: number, updatedAt = '2026-01-01T00:00:00Z', status = 'open') =>
  ({ id, updatedAt, status }) as Ticket;
const pages = (...tickets: Ticket[][]): PastTicketPages => ({
  pages: tickets.map((page) => ({ tickets: page, count: 3, hasMore: false })),
  pageParams: tickets.map((_, index) => index + 1),
});
const ids = (found: { id: number }[] | undefined) => found?.map(({ id }) => id);

test('a note stands once, newest first, until it is deleted', () => {
  const two = foldNote([note(1)], { action: 'create', note: note(2) });
  expect(ids(two)).toEqual([2, 1]);
  expect(ids(foldNote(two, { action: 'create', note: note(2) }))).toEqual([2, 1]);
  expect(ids(foldNote(two, { action: 'delete', noteId: 2, contactId: 1 }))).toEqual([1]);
  expect(foldNote(undefined, { action: 'create', note: note(1) })).toBeUndefined();
});

test('a listed ticket changes in place, older news change nothing', () => {
  const listed = pages([ticket(5)], [ticket(3)]);
  const closed = foldPastTicket(listed, ticket(3, '2026-01-02T00:00:00Z', 'closed'));
  expect(pastTicketsOf(closed).map(({ status }) => status)).toEqual(['open', 'closed']);
  expect(foldPastTicket(closed, ticket(3))).toBe(closed);
  expect(closed.pages[0]?.count).toBe(3);
});

test('a new ticket stands first and counts, a deleted one leaves', () => {
  const grown = foldPastTicket(pages([ticket(5)], [ticket(3)]), ticket(8));
  expect(ids(pastTicketsOf(grown))).toEqual([8, 5, 3]);
  expect(grown.pages.map(({ count }) => count)).toEqual([4, 4]);
  const less = dropPastTicket(grown, 5);
  expect(ids(pastTicketsOf(less))).toEqual([8, 3]);
  expect(dropPastTicket(less, 5)).toBe(less);
});

test('a ticket that came with two pages is shown once', () => {
  expect(ids(pastTicketsOf(pages([ticket(5), ticket(4)], [ticket(4), ticket(3)])))).toEqual([
    5, 4, 3,
  ]);
});

test('a gallery changes when a file becomes ready or is taken back', () => {
  const photo = { id: 1, mediaType: 'image', mediaState: 'ready', isDeleted: false };
  expect(changesGallery([], photo)).toBe(true);
  expect(changesGallery([{ id: 1 }], photo)).toBe(false);
  expect(changesGallery([], { ...photo, mediaState: 'fetching' })).toBe(false);
  expect(changesGallery([{ id: 1 }], { ...photo, isDeleted: true })).toBe(true);
  expect(changesGallery([], { ...photo, mediaType: 'sticker' })).toBe(false);
});

test('pictures stand under their months', () => {
  const at = (id: number, createdAt: string) => ({ id, createdAt }) as GalleryMessage;
  const months = byMonth(
    [at(3, '2026-11-20T12:00:00Z'), at(2, '2026-11-02T12:00:00Z'), at(1, '2026-10-09T12:00:00Z')],
    'pt',
  );
  expect(months.map(([name, found]) => [name, ids(found)])).toEqual([
    ['Novembro de 2026', [3, 2]],
    ['Outubro de 2026', [1]],
  ]);
});

test('a note has two characters beside its spaces', () => {
  const reason = (text: string) => noteSchema.safeParse({ note: text }).error?.issues[0]?.message;
  expect(reason('  ')).toBe('field.required');
  expect(reason(' x ')).toBe('field.tooShort');
  expect(reason('ok')).toBeUndefined();
});
