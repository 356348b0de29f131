/** Whole lists of rows, in an order. */

interface Row {
  id: number;
  updatedAt: string;
}

/** A list with a new or changed row in its place; the same list when what it holds is newer. */
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
