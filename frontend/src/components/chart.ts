import { chakra } from '@chakra-ui/react';
import { isTouch } from '@/lib/useMedia';
import { focusVisible } from '@/theme/recipes/controls';

/** A theme colour as a CSS variable, for SVG attributes. */
export const paint = (token: string) => `var(--chakra-colors-${token.replaceAll('.', '-')})`;

/** The frame of a recharts chart: its font, and the focus ring for keyboard users. */
export const ChartFrame = chakra('div', {
  base: {
    position: 'relative',
    minW: '0',
    textStyle: 'xs',
    fontVariantNumeric: 'tabular-nums',
    '& svg:focus-visible': { ...focusVisible, outlineOffset: '-1px', borderRadius: 'sm' },
  },
});

/**
 * A chart as wide as its container; pointer events are not throttled, so that a tap is handled
 * before it ends.
 */
export const chart = { role: 'img', responsive: true, throttledEvents: [] } as const;

const axis = { axisLine: false, tickLine: false, tick: { fill: paint('fg.muted') } } as const;

/** The x axis shows as many labels as fit. */
export const xAxis = { ...axis, interval: 'equidistantPreserveStart', tickMargin: 6 } as const;

/** The y axis shows whole numbers from 0. */
export const yAxis = { ...axis, allowDecimals: false, width: 'auto', tickMargin: 6 } as const;

export const grid = { vertical: false, stroke: paint('border.subtle') } as const;

/** A short animation; recharts omits it if the user prefers reduced motion. */
export const motion = { animationDuration: 160, animationEasing: 'ease-out' } as const;

/** Whether a tooltip stays open: on a touch screen it is read after the finger has left. */
export const stays = () => isTouch() || undefined;
