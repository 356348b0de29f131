const HUES = [
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
  'gray',
] as const;
const TONES = ['lighter', 'light', 'plain', 'dark', 'darker'] as const;

export const PALETTE_COLUMNS = HUES.length;

export interface PaletteColor {
  value: string;
  hue: (typeof HUES)[number];
  tone: (typeof TONES)[number];
}

/** Colours of queues, data and not theme: a row for each tone, a column for each hue. */
const VALUES: Readonly<Record<(typeof TONES)[number], string>> = {
  lighter: '#FF968B #F2A177 #D8B16D #85CB94 #7BC6CE #85BAFE #A4B0FF #C6A6F3 #F496BB #B1B9BB',
  light: '#F27166 #E0763A #C69537 #5AB571 #49AFBA #5DA0F5 #8893FB #B187E7 #E672A3 #8A989C',
  plain: '#D65048 #C96222 #B8860B #2C9A58 #0F8EA3 #3E7BD6 #6D76E1 #9669CC #C2487F #7B8588',
  dark: '#AC3832 #A14808 #895D00 #1E793D #00747E #2766B1 #535AB6 #7A5BD0 #A23B6A #5F686A',
  darker: '#822521 #793200 #664300 #0E5929 #00565E #184A85 #3C408A #57387C #79284E #454C4D',
};

/** The 50 preset colours (rules/queues §1), row by row. */
export const PALETTE: readonly PaletteColor[] = TONES.flatMap((tone) =>
  VALUES[tone].split(' ').map((value, at) => ({ value, tone, hue: HUES[at] ?? 'gray' })),
);

/** The canonical form of a colour, for comparing as the server does. */
export const colorKey = (color: string) => color.trim().toLowerCase();

/** The default colour of a new queue: an unused one, of the middle tones if possible. */
export function firstFree(taken: readonly string[]): string {
  const used = new Set(taken.map(colorKey));
  const free = PALETTE.filter(({ value }) => !used.has(colorKey(value)));
  const [found] = TONE_ORDER.flatMap((tone) =>
    HUE_ORDER.flatMap((hue) => free.filter((color) => color.tone === tone && color.hue === hue)),
  );
  return found?.value ?? '';
}

const TONE_ORDER = ['plain', 'light', 'dark', 'lighter', 'darker'] as const;
/** An order in which neighbours differ clearly; red, which means danger elsewhere, comes late. */
const HUE_ORDER = [
  'teal',
  'orange',
  'purple',
  'green',
  'pink',
  'blue',
  'amber',
  'indigo',
  'gray',
  'red',
] as const;

/** The target of an arrow key in the grid of colours, which does not wrap around. */
export function moveInGrid(at: number, key: string, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: PALETTE_COLUMNS,
    ArrowUp: -PALETTE_COLUMNS,
  };
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = steps[key];
  if (step === undefined) return undefined;
  const next = at + step;
  return next >= 0 && next < count ? next : at;
}
