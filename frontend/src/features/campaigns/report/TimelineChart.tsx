import { chakra } from '@chakra-ui/react';
import { Table2, ChartLine } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { formatCount } from '@/lib/format';
import {
  labelledPlaces,
  lineOf,
  momentWords,
  mostOf,
  nearest,
  SERIES,
  shortMoment,
  ticksOf,
  xOf,
  yOf,
  type Series,
} from './chart';
import type { Timeline } from './types';

const HEIGHT = 220;
const FIRST_WIDTH = 640;
/** Room that a label below the line takes. */
const LABEL_PX = 110;

const COLOURS: Record<Series, string> = {
  delivered: 'brand.fg',
  read: 'tick.read',
  answered: 'status.live.solid',
};
/** Lines are told apart without their colours too. */
const DASHES: Record<Series, string> = { delivered: 'none', read: '7 4', answered: '2 3' };

const counted = (count: number) => ({ count, shown: formatCount(count) });

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || FIRST_WIDTH));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

function LineSample({ series }: { series: Series }) {
  return (
    <chakra.svg aria-hidden w="6" h="2" flexShrink="0" viewBox="0 0 24 8">
      <chakra.path
        d="M0 4H24"
        fill="none"
        stroke={COLOURS[series]}
        strokeWidth="2"
        strokeDasharray={DASHES[series]}
      />
    </chakra.svg>
  );
}

/** Deliveries, reads and answers over time: lines, or a table of the same figures. */
export function TimelineChart({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('campaignReport');
  const [isTable, setTable] = useState(false);
  const titleId = useId();
  const { points, unit } = timeline;
  return (
    <chakra.section
      aria-labelledby={titleId}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      p="4"
      display="flex"
      flexDirection="column"
      gap="3"
      minW="0"
    >
      <chakra.div display="flex" alignItems="center" justifyContent="space-between" gap="3">
        <chakra.div minW="0">
          <chakra.h2 id={titleId} textStyle="md" fontWeight="semibold">
            {t('chart.title')}
          </chakra.h2>
          <chakra.p textStyle="xs" color="fg.muted">
            {t(`chart.unit.${unit}`)}
          </chakra.p>
        </chakra.div>
        {points.length > 0 && (
          <Button
            variant="ghost"
            size="sm"
            flexShrink="0"
            aria-pressed={isTable}
            icon={isTable ? <ChartLine size={16} aria-hidden /> : <Table2 size={16} aria-hidden />}
            onClick={() => setTable((is) => !is)}
          >
            {t(isTable ? 'chart.asLines' : 'chart.asTable')}
          </Button>
        )}
      </chakra.div>
      {points.length === 0 ? (
        <chakra.p textStyle="sm" color="fg.muted" py="8" textAlign="center">
          {t('chart.empty')}
        </chakra.p>
      ) : isTable ? (
        <Figures timeline={timeline} />
      ) : (
        <Lines timeline={timeline} />
      )}
    </chakra.section>
  );
}

function Lines({ timeline: { points, unit } }: { timeline: Timeline }) {
  const { t } = useTranslation('campaignReport');
  const [ref, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const ticks = ticksOf(mostOf(points));
  const top = ticks.at(-1) ?? 1;
  const left = 12 + formatCount(top).length * 7;
  const frame = { width, height: HEIGHT, left, right: 12, top: 12, bottom: 24 };
  const place = pointed === null || pointed >= points.length ? null : pointed;
  const shown = place === null ? undefined : points[place];
  const totals = Object.fromEntries(
    SERIES.map((series) => [series, points.reduce((sum, point) => sum + point[series], 0)]),
  ) as Record<Series, number>;
  const labels = labelledPlaces(points.length, Math.max(2, Math.floor(width / LABEL_PX)));
  return (
    <>
      <chakra.div display="flex" flexWrap="wrap" columnGap="5" rowGap="1" textStyle="xs">
        {SERIES.map((series) => (
          <chakra.span key={series} display="inline-flex" alignItems="center" gap="2">
            <LineSample series={series} />
            <chakra.span color="fg.muted">{t(`chart.series.${series}`)}</chakra.span>
            <chakra.span fontWeight="semibold" fontVariantNumeric="tabular-nums">
              {formatCount(shown ? shown[series] : totals[series])}
            </chakra.span>
          </chakra.span>
        ))}
        <chakra.span color="fg.muted" ms="auto" fontVariantNumeric="tabular-nums">
          {shown ? momentWords(shown.at, unit) : t('chart.inAll')}
        </chakra.span>
      </chakra.div>
      <chakra.div ref={ref} w="full" minW="0">
        <chakra.svg
          role="img"
          aria-label={t('chart.words', {
            from: momentWords(points[0]?.at ?? '', unit),
            to: momentWords(points.at(-1)?.at ?? '', unit),
            delivered: t('chart.deliveries', counted(totals.delivered)),
            read: t('chart.reads', counted(totals.read)),
            answered: t('chart.answers', counted(totals.answered)),
          })}
          display="block"
          w="full"
          style={{ height: HEIGHT }}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            setPointed(nearest(frame, event.clientX - box.left, points.length));
          }}
          onPointerLeave={() => setPointed(null)}
        >
          {ticks.map((tick) => {
            const y = yOf(frame, tick, top);
            return (
              <g key={tick}>
                <chakra.path
                  d={`M${left} ${y}H${width - frame.right}`}
                  stroke="border.subtle"
                  strokeWidth="1"
                />
                <chakra.text
                  x={left - 8}
                  y={y + 4}
                  textAnchor="end"
                  fill="fg.muted"
                  fontSize="xs"
                  fontVariantNumeric="tabular-nums"
                >
                  {formatCount(tick)}
                </chakra.text>
              </g>
            );
          })}
          {labels.map((each) => (
            <chakra.text
              key={each}
              x={xOf(frame, each, points.length)}
              y={HEIGHT - 6}
              textAnchor={
                points.length === 1
                  ? 'middle'
                  : each === 0
                    ? 'start'
                    : each === points.length - 1
                      ? 'end'
                      : 'middle'
              }
              fill="fg.muted"
              fontSize="xs"
            >
              {shortMoment(points[each]?.at ?? '', unit, points)}
            </chakra.text>
          ))}
          {SERIES.map((series) => (
            <chakra.path
              key={series}
              d={lineOf(points, series, frame, top)}
              fill="none"
              stroke={COLOURS[series]}
              strokeWidth="2"
              strokeLinejoin="round"
              strokeDasharray={DASHES[series]}
            />
          ))}
          {place !== null && shown && (
            <chakra.path
              d={`M${xOf(frame, place, points.length)} ${frame.top}V${HEIGHT - frame.bottom}`}
              stroke="border.strong"
              strokeWidth="1"
            />
          )}
          {(points.length === 1 || place !== null) &&
            SERIES.map((series) => (
              <chakra.circle
                key={series}
                cx={xOf(frame, place ?? 0, points.length)}
                cy={yOf(frame, points[place ?? 0]?.[series] ?? 0, top)}
                r="3"
                fill={COLOURS[series]}
              />
            ))}
        </chakra.svg>
      </chakra.div>
    </>
  );
}

const Head = chakra('th', {
  base: { px: '3', py: '2', textStyle: 'xs', fontWeight: 'medium', color: 'fg.muted' },
});
const Figure = chakra('td', {
  base: {
    px: '3',
    py: '1.5',
    borderTopWidth: '1px',
    textStyle: 'sm',
    fontVariantNumeric: 'tabular-nums',
  },
});

/** The same in words, for whom lines say nothing. */
function Figures({ timeline: { points, unit } }: { timeline: Timeline }) {
  const { t } = useTranslation('campaignReport');
  return (
    <chakra.div
      maxH="280px"
      overflow="auto"
      // Scrolled by keyboard, too.
      tabIndex={0}
      role="region"
      aria-label={t('chart.title')}
    >
      <chakra.table w="full" borderCollapse="separate" borderSpacing="0">
        <chakra.thead position="sticky" top="0" bg="bg.surface">
          <tr>
            <Head scope="col" textAlign="start">
              {t('chart.moment')}
            </Head>
            {SERIES.map((series) => (
              <Head key={series} scope="col" textAlign="end">
                {t(`chart.series.${series}`)}
              </Head>
            ))}
          </tr>
        </chakra.thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <Figure>{momentWords(point.at, unit)}</Figure>
              {SERIES.map((series) => (
                <Figure key={series} textAlign="end">
                  {formatCount(point[series])}
                </Figure>
              ))}
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}
