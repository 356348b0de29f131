import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { formatCount } from '@/lib/format';
import { badgeRecipe } from '@/theme/recipes/controls';

type Tone = 'brand' | 'soft' | 'neutral' | 'waiting' | 'live' | 'danger' | 'info';

export const Badge = chakra('span', badgeRecipe);

interface CountBadgeProps {
  /** null while the count loads ('–' if it could not be loaded). */
  count: number | null | undefined;
  tone?: Tone;
  failed?: boolean;
  /** A larger count shows as '99+'. */
  most?: number;
  /** Names the counted things for screen readers. */
  label?: string;
}

const countText = (count: number, most = Infinity) =>
  count > most ? `${formatCount(most)}+` : formatCount(count);

export function CountBadge({ count, tone = 'neutral', failed, most, label }: CountBadgeProps) {
  return (
    <Badge tone={tone} aria-label={label}>
      {failed ? '–' : typeof count === 'number' ? countText(count, most) : ''}
    </Badge>
  );
}

interface ChipProps {
  /** A CSS colour from the data. */
  colour: string;
  /** Round dot = queue, square dot = tag, everywhere. */
  shape: 'queue' | 'tag';
  children: ReactNode;
  /** Only dot and text, as in list rows. */
  plain?: boolean;
}

export function Chip({ colour, shape, children, plain = false }: ChipProps) {
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      minW="0"
      maxW="full"
      textStyle="xs"
      // Long names are truncated.
      title={typeof children === 'string' ? children : undefined}
      {...(plain
        ? { color: 'fg.muted' }
        : {
            h: '6',
            px: '2',
            borderRadius: 'sm',
            fontWeight: 'medium',
            borderWidth: '1px',
            ...(shape === 'queue' && { bg: 'bg.subtle', borderColor: 'transparent' }),
          })}
    >
      <chakra.span
        aria-hidden
        flexShrink="0"
        w="2"
        h="2"
        borderRadius={shape === 'queue' ? 'full' : '2px'}
        style={{ backgroundColor: colour }}
      />
      <chakra.span overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
        {children}
      </chakra.span>
    </chakra.span>
  );
}
