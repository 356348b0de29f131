import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '@/lib/format';
import { focusVisible } from '@/theme/recipes/controls';
import { target } from '@/theme/screens';

const RowLink = chakra(Link, {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(48px, 40%) 56px',
    alignItems: 'center',
    gap: '3',
    minH: '9',
    px: '2',
    mx: '-2',
    borderRadius: 'sm',
    textStyle: 'sm',
    _hover: { bg: 'bg.subtle' },
    _focusVisible: focusVisible,
    ...target,
  },
});

export const FigureRows = chakra('ul', {
  base: { listStyleType: 'none', m: '0', px: '4', pb: '3' },
});

interface FigureRowProps {
  label: ReactNode;
  count: number;
  /** Of how many. */
  total: number;
  /** The conversations behind it. */
  to: string;
  tone?: 'brand' | 'danger' | 'waiting' | 'live';
}

const TONES = {
  brand: 'brand.solid',
  danger: 'status.danger.solid',
  waiting: 'status.waiting.solid',
  live: 'status.live.solid',
} as const;

/** A figure with its share as a bar; it opens its conversations. */
export function FigureRow({ label, count, total, to, tone = 'brand' }: FigureRowProps) {
  return (
    <li>
      <RowLink to={to}>
        <chakra.span minW="0" overflowWrap="anywhere">
          {label}
        </chakra.span>
        <chakra.span h="2" borderRadius="full" bg="bg.subtle" overflow="hidden" aria-hidden>
          <chakra.span
            display="block"
            h="full"
            borderRadius="full"
            bg={TONES[tone]}
            style={{ width: `${total ? (count / total) * 100 : 0}%` }}
          />
        </chakra.span>
        <chakra.span textAlign="end" fontWeight="medium" fontVariantNumeric="tabular-nums">
          {formatCount(count)}
        </chakra.span>
      </RowLink>
    </li>
  );
}
