/** The element of a node's row, while it is shown. */
export function rowOf(tree: HTMLElement | null, key: string): HTMLElement | null {
  const rows = tree?.querySelectorAll<HTMLElement>('[data-key]') ?? [];
  return [...rows].find(({ dataset }) => dataset.key === key) ?? null;
}
