import { expect, test } from 'vitest';
import { dropFromPages, foldIntoPages, newerOf } from './fold';
import { makeCampaign } from './testData';
import type { Campaign, CampaignPages } from './types';

const pagesOf = (...rows: Campaign[][]): CampaignPages => ({
  pages: rows.map((records, index) => ({
    records,
    count: 40,
    hasMore: index < rows.length - 1,
  })),
  pageParams: rows.map((_, index) => index + 1),
});
const ids = ({ pages }: CampaignPages) => pages.map(({ records }) => records.map(({ id }) => id));
const first = makeCampaign({ id: 9 });
const second = makeCampaign({ id: 5 });

test('a new campaign stands at the top and counts once more', () => {
  const folded = foldIntoPages(pagesOf([first], [second]), makeCampaign({ id: 12 }), '');
  expect(ids(folded)).toEqual([[12, 9], [5]]);
  expect(folded.pages.map(({ count }) => count)).toEqual([41, 41]);
});

test('a search waits for the server to say whether a new one belongs', () => {
  const pages = pagesOf([first]);
  expect(foldIntoPages(pages, makeCampaign({ id: 12 }), 'mães')).toBe(pages);
});

test('one beyond what is loaded changes nothing', () => {
  const pages = pagesOf([first]);
  expect(foldIntoPages(pages, second, '')).toBe(pages);
});

test('a change keeps its place, an older one is not believed', () => {
  const changed = { ...second, status: 'CANCELADA' as const, updatedAt: '2026-11-02T12:00:00Z' };
  const folded = foldIntoPages(pagesOf([first], [second]), changed, 'mães');
  expect(folded.pages[1]?.records).toEqual([changed]);
  expect(foldIntoPages(folded, second, '').pages[1]?.records).toEqual([changed]);
  expect(newerOf(changed, second)).toBe(changed);
});

test('a deleted campaign leaves the list and its count', () => {
  const folded = dropFromPages(pagesOf([first], [second]), 9);
  expect(ids(folded)).toEqual([[], [5]]);
  expect(folded.pages[0]?.count).toBe(39);
  expect(dropFromPages(folded, 9)).toBe(folded);
});
