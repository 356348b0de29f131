/** Colours of tags: stored data, not theme tokens. Legible as a dot in both themes. */
export const PALETTE = [
  { id: 'teal', value: '#0F8EA3' },
  { id: 'blue', value: '#3E7BD6' },
  { id: 'indigo', value: '#4B57C8' },
  { id: 'purple', value: '#7A5BD0' },
  { id: 'magenta', value: '#A64CB8' },
  { id: 'pink', value: '#C2487F' },
  { id: 'red', value: '#C7302B' },
  { id: 'orange', value: '#E0763A' },
  { id: 'amber', value: '#D99A1C' },
  { id: 'olive', value: '#B8860B' },
  { id: 'lime', value: '#6B8E23' },
  { id: 'green', value: '#2C9A58' },
  { id: 'mint', value: '#2BA893' },
  { id: 'cyan', value: '#2A9FD0' },
  { id: 'brown', value: '#8D6748' },
  { id: 'slate', value: '#5B7083' },
  { id: 'gray', value: '#8A989C' },
  { id: 'black', value: '#3A4447' },
] as const;

/** The initial colour of a new tag: the one that the fewest tags have. */
export function leastUsed(colors: readonly string[]): string {
  const used = new Map<string, number>(PALETTE.map(({ value }) => [value, 0]));
  for (const color of colors) {
    const known = used.get(color.toUpperCase());
    if (known !== undefined) used.set(color.toUpperCase(), known + 1);
  }
  const [first] = [...used].sort(([, left], [, right]) => left - right);
  return first?.[0] ?? PALETTE[0].value;
}
