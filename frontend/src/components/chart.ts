import { chakra } from '@chakra-ui/react';
import { isTouch } from '@/lib/useMedia';
import { focusVisible } from '@/theme/recipes/controls';

/** A colour of the theme, as the attribute of a drawing takes it. */
export const paint = (token: string) => `var(--chakra-colors-${token.replaceAll('.', '-')})`;

/** What a chart of recharts stands in: its type, and the ring of who came by keyboard. */
export const ChartFrame = chakra('div', {
  base: {
    position: 'relative',
    minW: '0',
    textStyle: 'xs',
    fontVariantNumeric: 'tabular-nums',
    '& svg:focus-visible': { ...focusVisible, outlineOffset: '-1px', borderRadius: 'sm' },
  },
});

/** A chart as wide as its place; what is pointed at is known at once, before a tap is over. */
export const chart = { role: 'img', responsive: true, throttledEvents: [] } as const;

const axis = { axisLine: false, tickLine: false, tick: { fill: paint('fg.muted') } } as const;

/** As many labels below as there is room for. */
export const xAxis = { ...axis, interval: 'equidistantPreserveStart', tickMargin: 6 } as const;

/** Whole figures from 0 on. */
export const yAxis = { ...axis, allowDecimals: false, width: 'auto', tickMargin: 6 } as const;

export const grid = { vertical: false, stroke: paint('border.subtle') } as const;

/** Short and calm; recharts leaves it out for who wants no motion. */
export const motion = { animationDuration: 160, animationEasing: 'ease-out' } as const;

/** Whether a tooltip stays: what a finger pointed at is read once the finger has gone. */
export const stays = () => isTouch() || undefined;
