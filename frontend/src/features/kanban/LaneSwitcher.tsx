import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { showLane } from './scrolling';
import type { BoardFilters, Lane } from './types';
import { LaneDot } from './LaneDot';

interface LaneSwitcherProps {
  lanes: readonly Lane[];
  filters: BoardFilters;
  scroller: RefObject<HTMLDivElement | null>;
}

/** The lane nearest to the middle of the board. */
function laneInView(board: HTMLElement): number | null {
  const { left, width } = board.getBoundingClientRect();
  const distance = (element: Element) => {
    const rect = element.getBoundingClientRect();
    return Math.abs(rect.left + rect.width / 2 - left - width / 2);
  };
  const [nearest] = [...board.querySelectorAll('[data-lane]')].sort(
    (one, other) => distance(one) - distance(other),
  );
  return nearest ? Number(nearest.getAttribute('data-lane')) : null;
}

/** For narrow screens: all lanes by name, the visible one marked; a press scrolls to a lane. */
export function LaneSwitcher({ lanes, scroller }: LaneSwitcherProps) {
  const { t } = useTranslation('kanban');
  const [current, setCurrent] = useState(lanes[0]?.id ?? 0);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const board = scroller.current;
    if (!board) return;
    const look = () => {
      const seen = laneInView(board);
      if (seen !== null) setCurrent(seen);
    };
    board.addEventListener('scroll', look, { passive: true });
    return () => board.removeEventListener('scroll', look);
  }, [scroller]);
  useEffect(() => {
    bar.current
      ?.querySelector(`[data-switch="${current}"]`)
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current]);
  return (
    <chakra.nav
      ref={bar}
      aria-label={t('switcher')}
      hideFrom="sm"
      display="flex"
      gap="2"
      px="4"
      overflowX="auto"
      flexShrink="0"
      css={{ scrollbarWidth: 'none' }}
    >
      {lanes.map((lane) => (
        <chakra.button
          key={lane.id}
          type="button"
          data-switch={lane.id}
          aria-current={lane.id === current ? 'true' : undefined}
          onClick={() => showLane(scroller.current, lane.id)}
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          flexShrink="0"
          maxW="44"
          h="8"
          px="3"
          borderRadius="full"
          borderWidth="1px"
          textStyle="sm"
          cursor="pointer"
          bg={lane.id === current ? 'brand.subtle' : 'bg.surface'}
          borderColor={lane.id === current ? 'brand.border' : 'border.subtle'}
          color={lane.id === current ? 'brand.fg' : 'fg.muted'}
          fontWeight={lane.id === current ? 'semibold' : 'normal'}
        >
          <LaneDot color={lane.color} />
          <chakra.span overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
            {lane.name}
          </chakra.span>
        </chakra.button>
      ))}
    </chakra.nav>
  );
}
