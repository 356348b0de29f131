/** Where a finger points: there what is pressed measures 44 px at least. */
export const touch = '@media (pointer: coarse)';

/** The least that a finger meets. */
export const target = { [touch]: { minH: '11', minW: '11' } } as const;

/** For what has to stay small to the eye: it is met around itself, over what can't be pressed. */
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

/** So low, as at 200 % zoom or on a telephone held across, that only what is read and written fits. */
export const short = '@media (max-height: 540px)';
