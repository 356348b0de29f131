import { defineTextStyles } from '@chakra-ui/react';

const style = (fontSize: string, lineHeight: string, letterSpacing = '0') => ({
  value: { fontSize, lineHeight, letterSpacing },
});

/**
 * Sizes: 12 meta, 13 secondary and tables, 14 names and bubbles, 16 titles, 20 and 24 page titles
 * and figures.
 */
export const textStyles = defineTextStyles({
  xs: style('12px', '16px'),
  sm: style('13px', '20px'),
  md: style('14px', '20px'),
  lg: style('16px', '24px', '-0.012em'),
  xl: style('20px', '28px', '-0.018em'),
  '2xl': style('24px', '32px', '-0.022em'),
});
