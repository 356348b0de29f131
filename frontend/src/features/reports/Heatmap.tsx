import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '@/lib/format';
import { focusVisible } from '@/theme/recipes/controls';
import { touch } from '@/theme/screens';
import type { ReportFigures } from './types';
import { useWeekday } from './useWeekday';

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The lightest cell that is not empty. */
const LEAST = 0.24;
/** The cells of the scale under the table, from the lightest to the darkest. */
const SCALE = [0, 0.25, 0.5, 0.75, 1];
const LABEL_WIDTH = 48;
const STEPS: Partial<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** A colour by its share of the darkest one. */
function Shade({ share }: { share: number }) {
  return (
    <chakra.span
      position="absolute"
      inset="0"
      bg="brand.solid"
      style={{ opacity: LEAST + (1 - LEAST) * share }}
    />
  );
}

/** The days, and the corner above them: they stay where the hours scroll. */
const DayHead = chakra('th', {
  base: {
    position: 'sticky',
    insetInlineStart: '0',
    zIndex: '1',
    bg: 'bg.surface',
    textStyle: 'xs',
    fontWeight: 'medium',
    color: 'fg.muted',
    textAlign: 'start',
  },
});

const Cell = chakra('td', { base: { p: '0.5', h: '8', minW: '6', [touch]: { h: '12' } } });

const CellLink = chakra(Link, {
  base: {
    display: 'block',
    h: 'full',
    borderRadius: 'sm',
    position: 'relative',
    overflow: 'hidden',
    bg: 'bg.subtle',
    _focusVisible: { ...focusVisible, outlineOffset: '1px' },
    _hover: { outline: '2px solid', outlineColor: 'brand.solid' },
  },
});

interface HeatmapProps {
  times: ReportFigures['times'];
  pathOf: (weekday: number, hour: number) => string;
}

/**
 * Conversations by weekday and hour. Each hour that has some opens them; arrow keys walk through
 * them, so that the whole table is one stop of the tab key.
 */
export function Heatmap({ times, pathOf }: HeatmapProps) {
  const { t } = useTranslation('reports');
  const weekday = useWeekday();
  const table = useRef<HTMLTableElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const counts = new Map(times.map((each) => [`${each.weekday}-${each.hour}`, each.count]));
  const most = Math.max(1, ...counts.values());
  const first = times[0] && `${times[0].weekday}-${times[0].hour}`;

  // Where the hours scroll, those with conversations come first; nights are often empty.
  useEffect(() => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
    const start = Math.min(...links.map((link) => link.parentElement?.offsetLeft ?? 0));
    if (frame.current && links.length) frame.current.scrollLeft = start - LABEL_WIDTH;
  }, []);

  /** Moves to the next hour with conversations in a direction. */
  function walk(event: KeyboardEvent) {
    const step = STEPS[event.key];
    const from = (event.target as HTMLElement).dataset['place'];
    if (!step || !from) return;
    event.preventDefault();
    let [day = 0, hour = 0] = from.split('-').map(Number);
    for (;;) {
      day += step[0];
      hour += step[1];
      if (day < 1 || day > 7 || hour < 0 || hour > 23) return;
      const link = table.current?.querySelector<HTMLElement>(`[data-place="${day}-${hour}"]`);
      if (link) {
        link.focus();
        return;
      }
    }
  }

  return (
    // Wider than a phone: it scrolls in its panel.
    <chakra.div px="4" pb="4">
      <chakra.div ref={frame} overflowX="auto" tabIndex={-1}>
        <chakra.table
          ref={table}
          w="full"
          css={{ minW: '640px', [touch]: { minW: '1200px' } }}
          tableLayout="fixed"
          borderCollapse="collapse"
          onKeyDown={walk}
        >
          <chakra.caption srOnly>{t('times.caption')}</chakra.caption>
          <thead>
            <tr>
              <DayHead scope="col" style={{ width: LABEL_WIDTH }}>
                <chakra.span srOnly>{t('times.weekday')}</chakra.span>
              </DayHead>
              {HOURS.map((hour) => (
                <chakra.th
                  key={hour}
                  scope="col"
                  textStyle="xs"
                  fontWeight="medium"
                  color="fg.muted"
                  fontVariantNumeric="tabular-nums"
                >
                  {hour}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map((day) => (
              <tr key={day}>
                <DayHead scope="row" aria-label={weekday(day)}>
                  {weekday(day, 'short')}
                </DayHead>
                {HOURS.map((hour) => {
                  const place = `${day}-${hour}`;
                  const count = counts.get(place) ?? 0;
                  if (!count)
                    return (
                      <Cell key={hour}>
                        <chakra.span display="block" h="full" borderRadius="sm" bg="bg.subtle" />
                      </Cell>
                    );
                  const words = t('times.cell', {
                    day: weekday(day),
                    hour,
                    count,
                    shown: formatCount(count),
                  });
                  return (
                    <Cell key={hour}>
                      <CellLink
                        to={pathOf(day, hour)}
                        aria-label={words}
                        data-tooltip={words}
                        data-place={place}
                        tabIndex={place === first ? 0 : -1}
                      >
                        <Shade share={count / most} />
                      </CellLink>
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </chakra.table>
      </chakra.div>
      <chakra.div
        aria-hidden
        display="flex"
        alignItems="center"
        justifyContent="flex-end"
        gap="1"
        pt="2"
        textStyle="xs"
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
      >
        {formatCount(1)}
        {SCALE.map((share) => (
          <chakra.span
            key={share}
            position="relative"
            w="5"
            h="3"
            borderRadius="sm"
            overflow="hidden"
          >
            <Shade share={share} />
          </chakra.span>
        ))}
        {formatCount(most)}
      </chakra.div>
    </chakra.div>
  );
}
