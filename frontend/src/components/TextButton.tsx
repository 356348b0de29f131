import { chakra } from '@chakra-ui/react';
import { target } from '@/theme/screens';

/** A button that looks like text. */
export const TextButton = chakra('button', {
  base: {
    fontWeight: 'semibold',
    color: 'brand.fg',
    cursor: 'pointer',
    borderRadius: 'xs',
    ...target,
    _hover: { textDecoration: 'underline' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '1px' },
  },
});
