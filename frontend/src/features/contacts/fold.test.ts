import { describe, expect, it } from 'vitest';
import { contactsOf, foldContact, termOf } from './fold';
import type { Contact, ContactPages, ListedContact } from './types';

const contact = (id: number, name: string, change: Partial<Contact> = {}): Contact => ({
  id,
  name,
  number: `55119${String(id).padStart(8, '0')}`,
  email: '',
  username: '',
  userId: '',
  profilePicUrl: '',
  isGroup: false,
  ignoreMessages: false,
  tags: [],
  companyId: 1,
  whatsappId: null,
  whatsapp: null,
  extraInfo: [],
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
  ...change,
});

const pagesOf = (hasMore: boolean, ...pages: ListedContact[][]): ContactPages => ({
  pages: pages.map((contacts) => ({ contacts, count: pages.flat().length, hasMore })),
  pageParams: pages.map((_, index) => index + 1),
});

const names = (pages: ContactPages) => contactsOf(pages).map(({ name }) => name);
const newer = { updatedAt: '2026-11-20T11:00:00Z' };

describe('contacts by name', () => {
  const pages = pagesOf(false, [contact(1, 'Ana'), contact(2, 'Érico')], [contact(3, 'Zeca')]);

  it('takes a new one into its place, accents ignored', () => {
    const more = foldContact(pages, { action: 'create', contact: contact(9, 'Elias') }, '');
    expect(names(more)).toEqual(['Ana', 'Elias', 'Érico', 'Zeca']);
    expect(more.pages[0]?.count).toBe(4);
    const last = foldContact(pages, { action: 'create', contact: contact(9, 'Zulmira') }, '');
    expect(names(last).at(-1)).toBe('Zulmira');
  });

  it('counts one that lies behind all that is loaded, and leaves it to its page', () => {
    const open = pagesOf(true, [contact(1, 'Ana')]);
    const more = foldContact(open, { action: 'create', contact: contact(9, 'Zulmira') }, '');
    expect(names(more)).toEqual(['Ana']);
    expect(more.pages[0]?.count).toBe(2);
  });

  it('moves a renamed one, and keeps what is newer', () => {
    const renamed = contact(1, 'Wanda', newer);
    const moved = foldContact(pages, { action: 'update', contact: renamed }, '');
    expect(names(moved)).toEqual(['Érico', 'Wanda', 'Zeca']);
    expect(moved.pages[0]?.count).toBe(3);
    expect(foldContact(moved, { action: 'update', contact: contact(1, 'Ana') }, '')).toBe(moved);
  });

  it('keeps the ticket that only the list tells of', () => {
    const uuid = '7f3c1d52-4a0e-4f7e-9d54-0f6f0a9f3c11';
    const listed = pagesOf(false, [{ ...contact(1, 'Ana'), uuid }]);
    const renamed = foldContact(
      listed,
      { action: 'update', contact: contact(1, 'Ana Souza', newer) },
      '',
    );
    expect(contactsOf(renamed)).toEqual([{ ...contact(1, 'Ana Souza', newer), uuid }]);
  });

  it('drops a deleted one once', () => {
    const fewer = foldContact(pages, { action: 'delete', contactId: 2 }, '');
    expect(names(fewer)).toEqual(['Ana', 'Zeca']);
    expect(foldContact(fewer, { action: 'delete', contactId: 2 }, '')).toBe(fewer);
    expect(fewer.pages[1]?.count).toBe(2);
  });
});

describe('contacts that a search found', () => {
  const pages = pagesOf(false, [contact(1, 'Ana Reis'), contact(2, 'Juliana')]);

  it('puts beginnings of names first', () => {
    const more = foldContact(pages, { action: 'create', contact: contact(9, 'Anacleto') }, 'ána');
    expect(names(more)).toEqual(['Ana Reis', 'Anacleto', 'Juliana']);
  });

  it('keeps out what does not match, and lets go what no longer does', () => {
    const stranger = contact(9, 'Bruno');
    expect(foldContact(pages, { action: 'create', contact: stranger }, 'ana')).toBe(pages);
    const left = foldContact(
      pages,
      { action: 'update', contact: contact(2, 'Bruna', newer) },
      'juli',
    );
    expect(names(left)).toEqual(['Ana Reis']);
  });

  it('reads a number without its punctuation', () => {
    expect(termOf('(11) 98765-4321')).toBe('11987654321');
    expect(termOf(' São João ')).toBe('sao joao');
  });
});

it('shows a contact once that two pages hold', () => {
  const ana = contact(1, 'Ana');
  expect(names(pagesOf(true, [ana], [ana, contact(2, 'Bia')]))).toEqual(['Ana', 'Bia']);
});
