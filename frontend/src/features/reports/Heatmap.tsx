import { chakra } from '@chakra-ui/react';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '@/lib/format';
import { focusVisible } from '@/theme/recipes/controls';
import type { ReportFigures } from './types';
import { useWeekday } from './useWeekday';

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The lightest cell that is not empty. */
const LEAST = 0.12;
const STEPS: Partial<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const Cell = chakra('td', { base: { p: '0.5', h: '8', minW: '6' } });

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
  const counts = new Map(times.map((each) => [`${each.weekday}-${each.hour}`, each.count]));
  const most = Math.max(1, ...counts.values());
  const first = times[0] && `${times[0].weekday}-${times[0].hour}`;

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
    <chakra.div overflowX="auto" px="4" pb="4" tabIndex={-1}>
      <chakra.table
        ref={table}
        w="full"
        minW="640px"
        tableLayout="fixed"
        borderCollapse="collapse"
        onKeyDown={walk}
      >
        <chakra.caption srOnly>{t('times.caption')}</chakra.caption>
        <thead>
          <tr>
            <chakra.th w="12" scope="col">
              <chakra.span srOnly>{t('times.weekday')}</chakra.span>
            </chakra.th>
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
              <chakra.th
                scope="row"
                textStyle="xs"
                fontWeight="medium"
                color="fg.muted"
                textAlign="start"
                aria-label={weekday(day)}
              >
                {weekday(day, 'short')}
              </chakra.th>
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
                      <chakra.span
                        aria-hidden
                        position="absolute"
                        inset="0"
                        bg="brand.solid"
                        style={{ opacity: LEAST + (1 - LEAST) * (count / most) }}
                      />
                    </CellLink>
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}
