import { withoutRow, withRow } from '@/lib/api/rows';
import type { LiveEvent } from '@/lib/api/types';
import type { Tag, TagPages } from './types';

/** The order of tags everywhere: by name, without regard to accents and case. */
export const byName = (left: Pick<Tag, 'name'>, right: Pick<Tag, 'name'>) =>
  left.name.localeCompare(right.name, undefined, { sensitivity: 'base' });

/** The list of all tags after an event; an event older than the cached version is ignored. */
export function foldTags(tags: Tag[], event: LiveEvent<'tag'>): Tag[] {
  return event.action === 'delete'
    ? withoutRow(tags, event.tagId)
    : withRow(tags, event.tag, byName);
}

/** The loaded pages after a change or deletion; a new tag appears only after a refetch. */
export function foldTagPages(pages: TagPages, event: LiveEvent<'tag'>): TagPages {
  const tagId = event.action === 'delete' ? event.tagId : event.tag.id;
  const known = pages.pages.flatMap(({ tags }) => tags).find(({ id }) => id === tagId);
  if (!known) return pages;
  if (event.action !== 'delete') {
    const { tag } = event;
    if (known.updatedAt > tag.updatedAt) return pages;
    return mapPages(pages, (tags) => tags.map((other) => (other.id === tagId ? tag : other)));
  }
  const shorter = mapPages(pages, (tags) => withoutRow(tags, tagId));
  return {
    ...shorter,
    pages: shorter.pages.map((page) => ({ ...page, count: Math.max(0, page.count - 1) })),
  };
}

function mapPages(pages: TagPages, change: (tags: Tag[]) => Tag[]): TagPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, tags: change(page.tags) })) };
}
