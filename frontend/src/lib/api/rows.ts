/** A row of a list that is loaded completely and sorted. */

interface Row {
  id: number;
  updatedAt: string;
}

/**
 * Returns the list with a new or changed row at its place; returns the same list if its own copy of
 * the row is newer.
 */
export function withRow<Each extends Row>(
  rows: Each[],
  row: Each,
  inOrder: (left: Each, right: Each) => number,
): Each[] {
  const known = rows.find(({ id }) => id === row.id);
  if (known && known.updatedAt > row.updatedAt) return rows;
  return [...withoutRow(rows, row.id), row].sort(inOrder);
}

export const withoutRow = <Each extends { id: number }>(rows: readonly Each[], id: number) =>
  rows.filter((row) => row.id !== id);
