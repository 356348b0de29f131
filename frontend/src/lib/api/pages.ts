/** A page of a list that the server answers page by page. */

interface Page {
  hasMore: boolean;
}

/**
 * Keeps each row once, at its first place: pages overlap when rows are added or removed between
 * requests.
 */
export function eachOnce<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  const known = new Map<number, Row>();
  for (const row of rows) if (!known.has(row.id)) known.set(row.id, row);
  return [...known.values()];
}

/** The number of the next page, from the number of loaded pages; undefined after the last page. */
export const nextPage = (last: Page, pages: readonly unknown[]) =>
  last.hasMore ? pages.length + 1 : undefined;

/**
 * Like `nextPage`, but from the number of loaded rows: where rows leave pages that are shown,
 * counting pages would skip some rows.
 */
export const nextPageByRows = (
  last: Page,
  rows: readonly { id: number }[],
  pageSize: number,
): number | undefined =>
  last.hasMore ? Math.floor(eachOnce(rows).length / pageSize) + 1 : undefined;
