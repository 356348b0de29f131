/** Lists that the server answers page by page. */

interface Page {
  hasMore: boolean;
}

/** Each row once, at its first place: pages overlap while rows come and go. */
export function eachOnce<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  const known = new Map<number, Row>();
  for (const row of rows) if (!known.has(row.id)) known.set(row.id, row);
  return [...known.values()];
}

/** The number of the next page, by the pages that are loaded; undefined after the last. */
export const nextPage = (last: Page, pages: readonly unknown[]) =>
  last.hasMore ? pages.length + 1 : undefined;

/**
 * As `nextPage`, by the rows that are loaded: where rows leave pages that are shown, the number of
 * pages would skip some.
 */
export const nextPageByRows = (
  last: Page,
  rows: readonly { id: number }[],
  pageSize: number,
): number | undefined =>
  last.hasMore ? Math.floor(eachOnce(rows).length / pageSize) + 1 : undefined;
