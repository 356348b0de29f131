import { defineSemanticTokens, defineTokens } from '@chakra-ui/react';

const px = (values: Record<string, number>) =>
  Object.fromEntries(Object.entries(values).map(([name, size]) => [name, { value: `${size}px` }]));

const grid = px({
  '0': 0,
  '0.5': 2,
  '1': 4,
  '1.5': 6,
  '2': 8,
  '2.5': 10,
  '3': 12,
  '3.5': 14,
  '4': 16,
  '4.5': 18,
  '5': 20,
  '6': 24,
  '7': 28,
  '8': 32,
  '9': 36,
  '10': 40,
  '11': 44,
  '12': 48,
  '13': 52,
  '14': 56,
  '15': 60,
  '16': 64,
  '18': 72,
  '20': 80,
  '24': 96,
  '28': 112,
  '32': 128,
  '36': 144,
  '40': 160,
  '44': 176,
  '48': 192,
  '60': 240,
  '64': 256,
  '80': 320,
});

export const tokens = defineTokens({
  fonts: {
    body: { value: "'Inter Variable', system-ui, sans-serif" },
    heading: { value: "'Inter Variable', system-ui, sans-serif" },
    mono: { value: 'ui-monospace, Menlo, Consolas, monospace' },
  },
  fontSizes: px({ xs: 12, sm: 13, md: 14, lg: 16, xl: 20, '2xl': 24 }),
  fontWeights: {
    normal: { value: '400' },
    medium: { value: '500' },
    semibold: { value: '600' },
  },
  spacing: grid,
  sizes: {
    ...grid,
    full: { value: '100%' },
    drawer: { value: '240px' },
    drawerCollapsed: { value: '64px' },
    topBar: { value: '56px' },
  },
  radii: { ...px({ xs: 4, sm: 6, md: 8, lg: 12 }), full: { value: '9999px' } },
  durations: { fast: { value: '120ms' }, moderate: { value: '160ms' }, slow: { value: '200ms' } },
  easings: { out: { value: 'cubic-bezier(0.2, 0, 0, 1)' } },
  zIndex: {
    docked: { value: 10 },
    banner: { value: 20 },
    overlay: { value: 1300 },
    modal: { value: 1400 },
    popover: { value: 1500 },
    toast: { value: 1700 },
    tooltip: { value: 1800 },
  },
});

const themed = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

/** All colours of the interface, in both themes; text has a contrast of at least 4.5:1. */
export const semanticTokens = defineSemanticTokens({
  colors: {
    bg: {
      canvas: themed('#F4F6F6', '#0C1112'),
      surface: themed('#FFFFFF', '#121819'),
      subtle: themed('#EDF1F1', '#1C2527'),
      hover: themed('#F4F7F7', '#182022'),
      thread: themed('#F0F3F3', '#0D1314'),
      raised: themed('#FFFFFF', '#1A2224'),
      scrim: themed('rgb(20 32 35 / 42%)', 'rgb(0 0 0 / 60%)'),
    },
    fg: {
      default: themed('#142023', '#E4EBEC'),
      muted: themed('#506064', '#9CABAF'),
      subtle: themed('#5B6A6F', '#87979B'),
    },
    border: {
      subtle: themed('#E1E7E8', '#232D2F'),
      strong: themed('#C9D3D5', '#354246'),
      control: themed('#87959A', '#64757A'),
    },
    brand: {
      solid: themed('#0B6270', '#127887'),
      hover: themed('#094E5A', '#14818F'),
      on: themed('#FFFFFF', '#FFFFFF'),
      fg: themed('#0A5A67', '#6AC6D3'),
      subtle: themed('#E0EFF1', '#113036'),
      border: themed('#B3D5DA', '#1F4D55'),
    },
    bubble: {
      in: { DEFAULT: themed('#FFFFFF', '#1B2426'), border: themed('#E1E7E8', '#273234') },
      out: {
        DEFAULT: themed('#D9ECEF', '#12383F'),
        border: themed('#C4DFE3', '#1B4A52'),
        meta: themed('#44646A', '#9CC3C9'),
      },
    },
    tick: { read: themed('#0F72C4', '#5DB4F5') },
    status: {
      waiting: {
        solid: themed('#F3B53A', '#E0A63A'),
        on: themed('#3A2600', '#241800'),
        fg: themed('#885200', '#EDBD63'),
        subtle: themed('#FDF2DC', '#33270F'),
      },
      live: {
        solid: themed('#2C9A58', '#3BB56C'),
        fg: themed('#19693A', '#6FCF97'),
        subtle: themed('#E3F3E9', '#12301F'),
      },
      danger: {
        solid: themed('#C7302B', '#D1403A'),
        hover: themed('#A82621', '#C23A34'),
        on: themed('#FFFFFF', '#FFFFFF'),
        fg: themed('#B0251F', '#F58E86'),
        subtle: themed('#FCECEA', '#2E1B1C'),
        border: themed('#F0C5C1', '#5C2D2B'),
      },
      info: { fg: themed('#1763AB', '#7DBBF2'), subtle: themed('#E5EFFA', '#132A40') },
    },
    focus: { ring: themed('rgb(11 98 112 / 16%)', 'rgb(106 198 211 / 18%)') },
  },
  shadows: {
    popover: themed(
      '0 0 0 1px rgb(20 32 35 / 6%), 0 4px 16px rgb(20 32 35 / 12%)',
      '0 0 0 1px rgb(255 255 255 / 7%), 0 4px 16px rgb(0 0 0 / 48%)',
    ),
    dialog: themed(
      '0 1px 2px rgb(20 32 35 / 6%), 0 8px 24px rgb(20 32 35 / 12%), 0 24px 56px rgb(20 32 35 / 10%)',
      '0 0 0 1px rgb(255 255 255 / 8%), 0 8px 24px rgb(0 0 0 / 48%), 0 24px 56px rgb(0 0 0 / 40%)',
    ),
    focus: themed('0 0 0 3px rgb(11 98 112 / 16%)', '0 0 0 3px rgb(106 198 211 / 18%)'),
  },
});

/** Colours offered for queues and tags, also used by charts. */
export const dataColours = [
  '#3E7BD6',
  '#E0763A',
  '#7A5BD0',
  '#C2487F',
  '#6B8E23',
  '#B8860B',
  '#0F8EA3',
  '#2C9A58',
  '#8A989C',
];
