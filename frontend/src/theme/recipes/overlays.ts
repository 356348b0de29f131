import { defineSlotRecipe } from '@chakra-ui/react';
import { target } from '../screens';
import { focusVisible } from './controls';

const floating = {
  bg: 'bg.raised',
  color: 'fg.default',
  borderRadius: 'md',
  boxShadow: 'popover',
  outline: 'none',
  zIndex: 'popover',
  _open: { animationName: 'fade-in', animationDuration: 'fast' },
  _closed: { animationName: 'fade-out', animationDuration: 'fast' },
} as const;

const item = {
  display: 'flex',
  alignItems: 'center',
  gap: '2',
  minH: '8',
  px: '2',
  py: '1.5',
  borderRadius: 'sm',
  textStyle: 'sm',
  cursor: 'pointer',
  userSelect: 'none',
  outline: 'none',
  _highlighted: { bg: 'bg.subtle' },
  _disabled: { opacity: 0.5, cursor: 'not-allowed' },
  ...target,
} as const;

/** A drawer is Chakra's dialog in another position. */
const dialogSlots = [
  'trigger',
  'backdrop',
  'positioner',
  'content',
  'title',
  'description',
  'closeTrigger',
  'header',
  'body',
  'footer',
] as const;

const backdrop = {
  position: 'fixed',
  inset: 0,
  bg: 'bg.scrim',
  zIndex: 'overlay',
  _open: { animationName: 'fade-in', animationDuration: 'moderate' },
  _closed: { animationName: 'fade-out', animationDuration: 'fast' },
} as const;

export const dialogRecipe = defineSlotRecipe({
  slots: dialogSlots,
  base: {
    backdrop,
    positioner: {
      position: 'fixed',
      inset: 0,
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'center',
      p: { base: '0', sm: '6' },
      zIndex: 'modal',
    },
    content: {
      display: 'flex',
      flexDirection: 'column',
      w: 'full',
      h: { base: 'full', sm: 'auto' },
      maxH: 'full',
      overflow: 'hidden',
      bg: 'bg.surface',
      color: 'fg.default',
      borderRadius: { base: '0', sm: 'lg' },
      boxShadow: 'dialog',
      outline: 'none',
      _open: { animationName: 'scale-in', animationDuration: 'moderate' },
      _closed: { animationName: 'fade-out', animationDuration: 'fast' },
    },
    header: {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: '4',
      px: '6',
      pt: '4',
      pb: '2',
    },
    title: { textStyle: 'lg', fontWeight: 'semibold' },
    description: { textStyle: 'sm', color: 'fg.muted' },
    body: { flex: 1, minH: 0, overflowY: 'auto', px: '6', pt: '2', pb: '6' },
    footer: {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'flex-end',
      flexWrap: 'wrap',
      gap: '3',
      px: '6',
      py: '3',
      borderTopWidth: '1px',
      borderColor: 'border.subtle',
    },
  },
  variants: {
    size: {
      sm: { content: { maxW: { sm: '420px' } } },
      md: { content: { maxW: { sm: '560px' } } },
      lg: { content: { maxW: { sm: '796px' } } },
      xl: { content: { maxW: { sm: '1168px' } } },
    },
  },
  defaultVariants: { size: 'md' },
});

export const drawerRecipe = defineSlotRecipe({
  slots: dialogSlots,
  base: {
    backdrop,
    positioner: { position: 'fixed', inset: 0, display: 'flex', zIndex: 'modal' },
    content: {
      display: 'flex',
      flexDirection: 'column',
      h: 'full',
      bg: 'bg.canvas',
      boxShadow: 'dialog',
      outline: 'none',
    },
  },
  variants: {
    placement: {
      start: {
        positioner: { justifyContent: 'flex-start' },
        content: {
          _open: { animationName: 'slide-in-left', animationDuration: 'slow' },
          _closed: { animationName: 'slide-out-left', animationDuration: 'moderate' },
        },
      },
      end: {
        positioner: { justifyContent: 'flex-end' },
        content: {
          _open: { animationName: 'slide-in-right', animationDuration: 'slow' },
          _closed: { animationName: 'slide-out-right', animationDuration: 'moderate' },
        },
      },
    },
  },
  defaultVariants: { placement: 'end' },
});

export const menuRecipe = defineSlotRecipe({
  slots: [
    'arrow',
    'arrowTip',
    'content',
    'contextTrigger',
    'indicator',
    'item',
    'itemGroup',
    'itemGroupLabel',
    'itemIndicator',
    'itemText',
    'positioner',
    'separator',
    'trigger',
    'triggerItem',
    'itemCommand',
  ],
  base: {
    content: {
      ...floating,
      minW: '200px',
      maxH: 'min(640px, var(--available-height))',
      overflowY: 'auto',
      p: '1',
    },
    item,
    itemText: { flex: 1 },
    itemIndicator: { color: 'brand.fg' },
    itemGroupLabel: { px: '2', py: '1.5', textStyle: 'xs', color: 'fg.muted' },
    separator: { h: '1px', my: '1', bg: 'border.subtle' },
  },
});

export const popoverRecipe = defineSlotRecipe({
  slots: [
    'arrow',
    'arrowTip',
    'anchor',
    'trigger',
    'indicator',
    'positioner',
    'content',
    'title',
    'description',
    'closeTrigger',
    'header',
    'body',
    'footer',
  ],
  base: {
    content: {
      ...floating,
      display: 'flex',
      flexDirection: 'column',
      maxH: 'var(--available-height)',
      maxW: 'calc(100vw - 16px)',
    },
    header: { px: '4', pt: '3' },
    title: { textStyle: 'sm', fontWeight: 'semibold' },
    body: { flex: 1, p: '4', minH: 0, overflowY: 'auto' },
    footer: { px: '4', pb: '3' },
  },
});

export const comboboxRecipe = defineSlotRecipe({
  slots: [
    'root',
    'clearTrigger',
    'content',
    'control',
    'input',
    'item',
    'itemGroup',
    'itemGroupLabel',
    'itemIndicator',
    'itemText',
    'label',
    'list',
    'positioner',
    'trigger',
    'indicatorGroup',
    'empty',
  ],
  base: {
    root: { display: 'flex', flexDirection: 'column', w: 'full' },
    control: { position: 'relative' },
    input: {},
    content: {
      ...floating,
      w: 'var(--reference-width)',
      maxH: 'min(320px, var(--available-height))',
      overflowY: 'auto',
      p: '1',
    },
    item,
    itemGroupLabel: {
      px: '2',
      pt: '2',
      pb: '1',
      textStyle: 'xs',
      fontWeight: 'semibold',
      color: 'fg.muted',
    },
    itemText: { flex: 1, minW: 0 },
    itemIndicator: { color: 'brand.fg' },
    empty: { px: '2', py: '2', textStyle: 'sm', color: 'fg.muted' },
    indicatorGroup: {
      position: 'absolute',
      insetBlock: 0,
      insetEnd: '2',
      display: 'flex',
      alignItems: 'center',
      gap: '1',
      color: 'fg.muted',
    },
  },
});

export const tooltipRecipe = defineSlotRecipe({
  slots: ['trigger', 'arrow', 'arrowTip', 'positioner', 'content'],
  base: {
    // The elements below the tooltip get the pointer events.
    positioner: { pointerEvents: 'none' },
    content: {
      pointerEvents: 'none',
      px: '2',
      py: '1',
      maxW: '320px',
      bg: 'fg.default',
      color: 'bg.surface',
      borderRadius: 'sm',
      textStyle: 'xs',
      fontWeight: 'medium',
      zIndex: 'tooltip',
      _open: { animationName: 'fade-in', animationDuration: 'fast' },
      _closed: { animationName: 'fade-out', animationDuration: 'fast' },
    },
  },
});

export const toastRecipe = defineSlotRecipe({
  slots: ['root', 'title', 'description', 'indicator', 'closeTrigger', 'actionTrigger'],
  base: {
    root: {
      display: 'flex',
      alignItems: 'flex-start',
      gap: '3',
      w: { base: 'calc(100vw - 32px)', sm: '360px' },
      px: '4',
      py: '3',
      bg: 'bg.raised',
      color: 'fg.default',
      borderRadius: 'md',
      boxShadow: 'popover',
      translate: 'var(--x) var(--y)',
      scale: 'var(--scale)',
      zIndex: 'var(--z-index)',
      height: 'var(--height)',
      opacity: 'var(--opacity)',
      willChange: 'translate, opacity, scale',
      transition: 'translate 200ms, scale 200ms, opacity 200ms, height 200ms',
      pointerEvents: 'auto',
    },
    title: { textStyle: 'sm', fontWeight: 'medium', overflowWrap: 'anywhere' },
    description: { textStyle: 'sm', color: 'fg.muted' },
    closeTrigger: {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'center',
      flexShrink: 0,
      ms: 'auto',
      color: 'fg.muted',
      cursor: 'pointer',
      borderRadius: 'xs',
      _hover: { color: 'fg.default' },
      _focusVisible: focusVisible,
    },
  },
});
