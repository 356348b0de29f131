/** Touch screens: there controls measure at least 44 px. */
export const touch = '@media (pointer: coarse)';

/** The minimum size of a touch target. */
export const target = { [touch]: { minH: '11', minW: '11' } } as const;

/**
 * For a control that must stay small: extends its touch target beyond its edges. Keep other
 * controls away.
 */
export const reach = {
  position: 'relative',
  [touch]: {
    minH: '0',
    minW: '0',
    _after: {
      content: '""',
      position: 'absolute',
      top: '50%',
      left: '50%',
      w: 'max(100%, 44px)',
      h: 'max(100%, 44px)',
      translate: '-50% -50%',
    },
  },
} as const;

/**
 * Viewports so low, as at 200 % zoom or on a phone in landscape, that only the messages and the
 * input fit.
 */
export const short = '@media (max-height: 540px)';
