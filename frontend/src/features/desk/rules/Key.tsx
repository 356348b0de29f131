import { chakra } from '@chakra-ui/react';

const isApple = /Mac|iP/.test(navigator.userAgent);

const Box = chakra('kbd', {
  base: {
    px: '1.5',
    minW: '6',
    whiteSpace: 'nowrap',
    textAlign: 'center',
    borderWidth: '1px',
    borderColor: 'border.strong',
    borderRadius: 'sm',
    bg: 'bg.subtle',
    fontFamily: 'inherit',
    textStyle: 'xs',
  },
});

/** The keys that run a macro. */
export function Key({ children }: { children: string }) {
  return (
    <Box>
      {isApple ? '⌥' : 'Alt'} {children.toUpperCase()}
    </Box>
  );
}
