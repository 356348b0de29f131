import type { Tag, TagPages } from './api';

export type TagEvent =
  { action: 'create' | 'update'; tag: Tag } | { action: 'delete'; tagId: number };

/** Tags are read in this order everywhere: by name, accents and case ignored. */
export const byName = (left: Pick<Tag, 'name'>, right: Pick<Tag, 'name'>) =>
  left.name.localeCompare(right.name, undefined, { sensitivity: 'base' });

/** Each tag once: pages overlap while rows come and go. */
export function tagsOf(pages: TagPages): Tag[] {
  const tags = new Map<number, Tag>();
  for (const page of pages.pages)
    for (const tag of page.tags) if (!tags.has(tag.id)) tags.set(tag.id, tag);
  return [...tags.values()];
}

/** Puts a new or changed tag into the list of all, or takes it out; older news change nothing. */
export function foldTags(tags: Tag[], event: TagEvent): Tag[] {
  if (event.action === 'delete') return tags.filter(({ id }) => id !== event.tagId);
  const { tag } = event;
  const known = tags.find(({ id }) => id === tag.id);
  if (known && known.updatedAt > tag.updatedAt) return tags;
  return [...tags.filter(({ id }) => id !== tag.id), tag].sort(byName);
}

/** Changes a tag where the pages show it, or takes it out; a new one comes with a fetch. */
export function foldTagPages(pages: TagPages, event: TagEvent): TagPages {
  const tagId = event.action === 'delete' ? event.tagId : event.tag.id;
  const known = pages.pages.flatMap(({ tags }) => tags).find(({ id }) => id === tagId);
  if (!known) return pages;
  if (event.action !== 'delete') {
    const { tag } = event;
    if (known.updatedAt > tag.updatedAt) return pages;
    return mapPages(pages, (tags) => tags.map((other) => (other.id === tagId ? tag : other)));
  }
  const shorter = mapPages(pages, (tags) => tags.filter(({ id }) => id !== tagId));
  return {
    ...shorter,
    pages: shorter.pages.map((page) => ({ ...page, count: Math.max(0, page.count - 1) })),
  };
}

function mapPages(pages: TagPages, change: (tags: Tag[]) => Tag[]): TagPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, tags: change(page.tags) })) };
}

interface Tagged {
  tags: Pick<Tag, 'id' | 'name' | 'color' | 'kanban'>[];
}

/** Renames or takes off a tag on a ticket; the same ticket when it does not carry it. */
export function foldTagged<Row extends Tagged>(ticket: Row, event: TagEvent): Row {
  const tagId = event.action === 'delete' ? event.tagId : event.tag.id;
  if (event.action === 'create' || !ticket.tags.some(({ id }) => id === tagId)) return ticket;
  if (event.action === 'delete')
    return { ...ticket, tags: ticket.tags.filter(({ id }) => id !== tagId) };
  const { id, name, color, kanban } = event.tag;
  const tags = ticket.tags.map((tag) => (tag.id === id ? { ...tag, name, color, kanban } : tag));
  return { ...ticket, tags };
}
