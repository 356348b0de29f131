import { defineSlotRecipe } from '@chakra-ui/react';
import { target, touch } from '../screens';
import { focusVisible } from './controls';

export const tabsRecipe = defineSlotRecipe({
  slots: ['root', 'list', 'trigger', 'content', 'indicator', 'contentGroup'],
  base: {
    root: { display: 'flex', flexDirection: 'column', minH: 0 },
    list: { display: 'flex', position: 'relative', flexShrink: 0 },
    trigger: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '2',
      position: 'relative',
      whiteSpace: 'nowrap',
      textStyle: 'sm',
      fontWeight: 'medium',
      color: 'fg.muted',
      cursor: 'pointer',
      borderRadius: 'sm',
      _focusVisible: focusVisible,
      _disabled: { opacity: 0.5, cursor: 'not-allowed' },
      ...target,
    },
    content: { flex: 1, minH: 0, outline: 'none', _focusVisible: focusVisible },
  },
  variants: {
    variant: {
      line: {
        list: {
          minW: 'max-content',
          gap: { base: '3', sm: '5' },
          borderBottomWidth: '1px',
          borderColor: 'border.subtle',
        },
        trigger: {
          // More tabs than there is room for scroll; they do not cover each other.
          flexShrink: 0,
          h: '10',
          _hover: { color: 'fg.default' },
          _selected: {
            color: 'fg.default',
            fontWeight: 'semibold',
            _after: {
              content: '""',
              position: 'absolute',
              insetInline: 0,
              bottom: '-1px',
              h: '2px',
              bg: 'brand.fg',
            },
          },
        },
      },
      /** The segmented control: a raised segment on a subtle background. */
      enclosed: {
        list: {
          h: '8',
          p: '0.5',
          bg: 'bg.subtle',
          borderRadius: 'md',
          [touch]: { h: '12' },
        },
        trigger: {
          flex: 1,
          justifyContent: 'center',
          px: '3',
          borderWidth: '1px',
          borderColor: 'transparent',
          _hover: { color: 'fg.default' },
          _selected: {
            bg: 'bg.raised',
            color: 'fg.default',
            fontWeight: 'semibold',
            borderColor: 'border.subtle',
          },
        },
      },
    },
  },
  defaultVariants: { variant: 'line' },
});
