import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react';
import { target, touch } from '../screens';

export const focusVisible = {
  outline: '2px solid',
  outlineColor: 'brand.fg',
  outlineOffset: '1px',
} as const;

export const buttonRecipe = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    flexShrink: 0,
    fontWeight: 'semibold',
    whiteSpace: 'nowrap',
    userSelect: 'none',
    cursor: 'pointer',
    borderWidth: '1px',
    borderColor: 'transparent',
    transition: 'background-color, border-color, color',
    transitionDuration: 'fast',
    _focusVisible: focusVisible,
    _disabled: { opacity: 0.5, cursor: 'not-allowed' },
    '& svg': { flexShrink: 0 },
    ...target,
  },
  variants: {
    variant: {
      solid: { bg: 'brand.solid', color: 'brand.on', _hover: { bg: 'brand.hover' } },
      outline: {
        bg: 'bg.surface',
        color: 'fg.default',
        borderColor: 'border.strong',
        _hover: { bg: 'bg.hover' },
      },
      ghost: {
        color: 'fg.muted',
        _hover: { bg: 'bg.subtle', color: 'fg.default' },
        _expanded: { bg: 'bg.subtle', color: 'fg.default' },
      },
      danger: {
        bg: 'status.danger.solid',
        color: 'status.danger.on',
        _hover: { bg: 'status.danger.hover' },
      },
    },
    size: {
      sm: { h: '8', px: '3', textStyle: 'sm', borderRadius: 'sm' },
      md: { h: '9', px: '4', textStyle: 'sm', borderRadius: 'md' },
      lg: { h: '11', px: '5', textStyle: 'md', borderRadius: 'md' },
    },
    square: { true: { px: '0', aspectRatio: '1' } },
  },
  defaultVariants: { variant: 'solid', size: 'md' },
});

export const inputRecipe = defineRecipe({
  base: {
    w: 'full',
    minW: 0,
    bg: 'bg.surface',
    color: 'fg.default',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'md',
    outline: 'none',
    transition: 'border-color, box-shadow',
    transitionDuration: 'fast',
    _placeholder: { color: 'fg.subtle', opacity: 1 },
    _focusVisible: { borderColor: 'brand.fg', boxShadow: 'focus' },
    _invalid: { borderColor: 'status.danger.solid' },
    _disabled: { opacity: 0.6, cursor: 'not-allowed', bg: 'bg.subtle' },
    // iOS zooms in on a focused field with smaller text.
    [touch]: { minH: '11', fontSize: '16px' },
  },
  variants: {
    size: {
      sm: { h: '8', px: '2.5', textStyle: 'sm' },
      md: { h: '9', px: '3', textStyle: 'sm' },
      lg: { h: '11', px: '3', textStyle: 'md' },
    },
    multiline: { true: { h: 'auto', minH: '9', py: '2', resize: 'vertical' } },
  },
  defaultVariants: { size: 'md' },
});

export const badgeRecipe = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    h: '4.5',
    minW: '5',
    px: '1.5',
    borderRadius: 'full',
    fontSize: 'xs',
    lineHeight: '1',
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
  },
  variants: {
    tone: {
      brand: { bg: 'brand.solid', color: 'brand.on' },
      soft: { bg: 'brand.subtle', color: 'brand.fg' },
      neutral: { bg: 'bg.subtle', color: 'fg.muted' },
      waiting: { bg: 'status.waiting.solid', color: 'status.waiting.on' },
      live: { bg: 'status.live.subtle', color: 'status.live.fg' },
      danger: { bg: 'status.danger.subtle', color: 'status.danger.fg' },
      info: { bg: 'status.info.subtle', color: 'status.info.fg' },
    },
  },
  defaultVariants: { tone: 'neutral' },
});

export const skeletonRecipe = defineRecipe({
  base: { bg: 'bg.subtle', borderRadius: 'sm', animation: 'pulse 1.6s ease-in-out infinite' },
});

export const switchRecipe = defineSlotRecipe({
  slots: ['root', 'label', 'control', 'thumb', 'indicator'],
  base: {
    root: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '2',
      cursor: 'pointer',
      verticalAlign: 'middle',
      _disabled: { cursor: 'not-allowed', opacity: 0.5 },
      ...target,
    },
    label: { textStyle: 'sm', userSelect: 'none' },
    control: {
      display: 'inline-flex',
      flexShrink: 0,
      w: '7',
      h: '4',
      p: '0.5',
      borderRadius: 'full',
      bg: 'border.control',
      transition: 'background-color',
      transitionDuration: 'fast',
      _checked: { bg: 'brand.solid' },
      _focusVisible: focusVisible,
    },
    thumb: {
      w: '3',
      h: '3',
      borderRadius: 'full',
      bg: 'white',
      transition: 'translate',
      transitionDuration: 'fast',
      _checked: { translate: '12px 0' },
    },
  },
});

export const checkboxRecipe = defineSlotRecipe({
  slots: ['root', 'label', 'control', 'indicator', 'group'],
  base: {
    root: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '2',
      cursor: 'pointer',
      _disabled: { cursor: 'not-allowed', opacity: 0.5 },
      ...target,
      // Without a label the control is centred in its touch target.
      '&:not(:has([data-part=label]))': { justifyContent: 'center' },
    },
    label: { textStyle: 'sm', userSelect: 'none' },
    control: {
      display: 'inline-flex',
      alignItems: 'center',
      justifyContent: 'center',
      flexShrink: 0,
      w: '4',
      h: '4',
      borderWidth: '1px',
      borderColor: 'border.control',
      borderRadius: 'xs',
      bg: 'bg.surface',
      color: 'brand.on',
      _focusVisible: focusVisible,
      _checked: { bg: 'brand.solid', borderColor: 'brand.solid' },
      _indeterminate: { bg: 'brand.solid', borderColor: 'brand.solid' },
    },
  },
});

export const sliderRecipe = defineSlotRecipe({
  slots: [
    'root',
    'label',
    'valueText',
    'control',
    'track',
    'range',
    'thumb',
    'markerGroup',
    'marker',
    'draggingIndicator',
    'markerIndicator',
    'markerLabel',
  ],
  base: {
    root: { display: 'flex', flexDirection: 'column', gap: '2' },
    label: { textStyle: 'sm', fontWeight: 'medium' },
    valueText: { textStyle: 'sm', color: 'fg.muted', fontVariantNumeric: 'tabular-nums' },
    control: {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      h: '5',
      [touch]: { h: '11' },
    },
    track: { flex: 1, h: '1', borderRadius: 'full', bg: 'border.strong', overflow: 'hidden' },
    range: { h: 'full', bg: 'brand.solid' },
    thumb: {
      w: '4',
      h: '4',
      borderRadius: 'full',
      bg: 'brand.solid',
      borderWidth: '2px',
      borderColor: 'bg.raised',
      cursor: 'grab',
      _focusVisible: focusVisible,
      [touch]: { _after: { content: '""', position: 'absolute', inset: '-16px' } },
    },
  },
});
