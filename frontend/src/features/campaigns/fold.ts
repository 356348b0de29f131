import type { Campaign, CampaignPages } from './types';

/** The newer of two states of one campaign: what is older than what is known changes nothing. */
export const newerOf = (known: Campaign, told: Campaign): Campaign =>
  known.updatedAt > told.updatedAt ? known : told;

/**
 * Puts a campaign in its place in a list, which has the newest first. One that is not in it is new
 * at its top, unless the list is a search's: of that only the server knows, so nothing is changed.
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
