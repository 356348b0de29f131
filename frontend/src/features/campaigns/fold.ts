import type { Campaign, CampaignPages } from './types';

/** The newer of two states of a campaign. */
export const newerOf = (known: Campaign, told: Campaign): Campaign =>
  known.updatedAt > told.updatedAt ? known : told;

/**
 * Updates a campaign in a list, newest first. An unknown campaign is added at the top, unless the
 * list belongs to a search: only the server knows the matches, so the list stays unchanged.
 */
export function foldIntoPages(pages: CampaignPages, told: Campaign, search: string): CampaignPages {
  const isKnown = pages.pages.some(({ records }) => records.some(({ id }) => id === told.id));
  if (isKnown)
    return {
      ...pages,
      pages: pages.pages.map((page) => ({
        ...page,
        records: page.records.map((each) => (each.id === told.id ? newerOf(each, told) : each)),
      })),
    };
  const newest = pages.pages[0]?.records[0];
  if (search || (newest && newest.id > told.id)) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page, index) => ({
      ...page,
      count: page.count + 1,
      records: index === 0 ? [told, ...page.records] : page.records,
    })),
  };
}

export function dropFromPages(pages: CampaignPages, id: number): CampaignPages {
  if (!pages.pages.some(({ records }) => records.some((each) => each.id === id))) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      count: Math.max(0, page.count - 1),
      records: page.records.filter((each) => each.id !== id),
    })),
  };
}
