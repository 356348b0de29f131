import type { LiveEvent } from '@/lib/api/types';
import { foldText } from '@/lib/search';
import type { Contact, ContactPages, ListedContact } from './types';

const keyOf = ({ name, number, email, username, userId }: Contact) =>
  foldText(`${name} ${number} ${email} ${username} ${userId}`);

/** Normalises a search like the server: no accents or case, and no punctuation in a number. */
export function termOf(search: string): string {
  const folded = foldText(search);
  return (/^\+?[\d\s().-]+$/.test(folded) && folded.replace(/\D/g, '')) || folded;
}

/** The server's order: contacts whose name begins with the term first, both groups by name. */
function isBefore(left: Contact, right: Contact, term: string): boolean {
  const [leftKey, rightKey] = [keyOf(left), keyOf(right)];
  const isFirst = leftKey.startsWith(term);
  if (term && isFirst !== rightKey.startsWith(term)) return isFirst;
  return leftKey === rightKey ? left.id < right.id : leftKey < rightKey;
}

/** Each contact once: pages overlap when rows are added or removed between requests. */
export function contactsOf(pages: ContactPages | undefined): ListedContact[] {
  const contacts = new Map<number, ListedContact>();
  for (const page of pages?.pages ?? [])
    for (const contact of page.contacts)
      if (!contacts.has(contact.id)) contacts.set(contact.id, contact);
  return [...contacts.values()];
}

function countBy(pages: ContactPages, difference: number): ContactPages {
  if (difference === 0) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, count: Math.max(0, page.count + difference) })),
  };
}

function without(pages: ContactPages, id: number): ContactPages {
  return {
    ...pages,
    pages: pages.pages.map((page) =>
      page.contacts.some((contact) => contact.id === id)
        ? { ...page, contacts: page.contacts.filter((contact) => contact.id !== id) }
        : page,
    ),
  };
}

/** Inserts a contact at its place; beyond the loaded pages it comes with its own page. */
function placed(pages: ContactPages, contact: ListedContact, term: string): ContactPages {
  const last = pages.pages.length - 1;
  const place = pages.pages.findIndex((page) =>
    page.contacts.some((other) => isBefore(contact, other, term)),
  );
  if (place < 0 && pages.pages[last]?.hasMore) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      if (index !== (place < 0 ? last : place)) return page;
      const next = page.contacts.findIndex((other) => isBefore(contact, other, term));
      const at = next < 0 ? page.contacts.length : next;
      return {
        ...page,
        contacts: [...page.contacts.slice(0, at), contact, ...page.contacts.slice(at)],
      };
    }),
  };
}

/** Applies an event to the pages of a search; an older state changes nothing. */
export function foldContact(
  pages: ContactPages,
  event: Exclude<LiveEvent<'contact'>, { action: 'reload' }>,
  search: string,
): ContactPages {
  const id = event.action === 'delete' ? event.contactId : event.contact.id;
  const known = contactsOf(pages).find((contact) => contact.id === id);
  if (event.action === 'delete') return known ? countBy(without(pages, id), -1) : pages;
  const { contact } = event;
  if (known && known.updatedAt > contact.updatedAt) return pages;
  const term = termOf(search);
  if (!keyOf(contact).includes(term)) return known ? countBy(without(pages, id), -1) : pages;
  // An updated contact that is not loaded is already counted, and comes with its own page.
  if (!known && event.action === 'update') return pages;
  if (!known) return countBy(placed(pages, contact, term), 1);
  // Only lists contain the ticket, so it is kept.
  return placed(without(pages, id), { ...known, ...contact }, term);
}
