import { describe, expect, it } from 'vitest';
import { tagPagesQuery } from './api';
import { foldTagPages, foldTags } from './fold';
import type { Tag, TagPages } from './types';

const tag = (id: number, name: string, change: Partial<Tag> = {}): Tag => ({
  id,
  name,
  color: '#0F8EA3',
  kanban: 0,
  userId: 1,
  ticketsCount: 0,
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
  ...change,
});

const pagesOf = (...tags: Tag[]): TagPages => ({
  pages: [{ tags, count: tags.length, hasMore: false }],
  pageParams: [1],
});

describe('the list of all tags', () => {
  const known = [tag(1, 'Atraso'), tag(2, 'Ônibus')];

  it('puts a new tag into its place by name, accents ignored', () => {
    const names = foldTags(known, { action: 'create', tag: tag(3, 'ágil') }).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['ágil', 'Atraso', 'Ônibus']);
  });

  it('moves a renamed tag and keeps no second one', () => {
    const names = foldTags(known, {
      action: 'update',
      tag: tag(1, 'Zebra', { updatedAt: '2026-11-20T11:00:00Z' }),
    }).map(({ name }) => name);
    expect(names).toEqual(['Ônibus', 'Zebra']);
  });

  it('ignores older news and forgets a deleted tag', () => {
    const old = tag(1, 'Velha', { updatedAt: '2026-11-19T10:00:00Z' });
    expect(foldTags(known, { action: 'update', tag: old })).toBe(known);
    expect(foldTags(known, { action: 'delete', tagId: 1 })).toEqual([known[1]]);
  });
});

describe('the pages of tags', () => {
  it('changes a tag in its place and counts one less after a deletion', () => {
    const pages = pagesOf(tag(1, 'Atraso'), tag(2, 'Ônibus'));
    const renamed = foldTagPages(pages, {
      action: 'update',
      tag: tag(2, 'Trem', { updatedAt: '2026-11-20T11:00:00Z' }),
    });
    expect(renamed.pages[0]?.tags.map(({ name }) => name)).toEqual(['Atraso', 'Trem']);
    const fewer = foldTagPages(renamed, { action: 'delete', tagId: 1 });
    expect(fewer.pages[0]).toMatchObject({ count: 1, tags: [{ name: 'Trem' }] });
  });

  it('asks for the page after what is loaded, whoever left, and shows nothing twice', () => {
    const first = {
      tags: Array.from({ length: 20 }, (_, at) => tag(at + 1, `Tag ${at}`)),
      count: 21,
      hasMore: true,
    };
    const next = tagPagesQuery('').getNextPageParam;
    expect(next(first, [first], 1, [1])).toBe(2);
    const shorter = foldTagPages(
      { pages: [first], pageParams: [1] },
      { action: 'delete', tagId: 3 },
    );
    const [left] = shorter.pages;
    expect(left && next(left, [left], 1, [1])).toBe(1);
    const again = { tags: [...first.tags.slice(3), tag(21, 'Última')], count: 20, hasMore: false };
    const shown = tagPagesQuery('').select?.({
      pages: [...shorter.pages, again],
      pageParams: [1, 1],
    });
    expect(shown?.rows.map(({ id }) => id)).toEqual([
      1,
      2,
      ...Array.from({ length: 18 }, (_, at) => at + 4),
    ]);
  });

  it('leaves pages alone that do not show the tag', () => {
    const pages = pagesOf(tag(1, 'Atraso'));
    expect(foldTagPages(pages, { action: 'delete', tagId: 9 })).toBe(pages);
    expect(foldTagPages(pages, { action: 'create', tag: tag(9, 'Nova') })).toBe(pages);
  });
});
