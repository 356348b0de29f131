import { chakra } from '@chakra-ui/react';

/** A tinted box inside a bubble. */
export const Inset = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    p: '2',
    borderRadius: 'md',
    bg: 'brand.fg/8',
    minW: '0',
  },
});

/** A button of a menu or a template. */
export const Choice = chakra('div', {
  base: {
    textAlign: 'center',
    textStyle: 'sm',
    fontWeight: 'semibold',
    color: 'brand.fg',
    borderTopWidth: '1px',
    borderColor: 'brand.fg/15',
    py: '1.5',
    overflowWrap: 'anywhere',
  },
});

/** A footer's words. */
export const Small = chakra('div', { base: { textStyle: 'xs', color: 'fg.muted', mt: '1' } });
