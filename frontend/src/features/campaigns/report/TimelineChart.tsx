import { chakra } from '@chakra-ui/react';
import { Table2, ChartLine } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  Tooltip,
  useActiveTooltipDataPoints,
  XAxis,
  YAxis,
} from 'recharts';
import { Button } from '@/components/Button';
import { chart, ChartFrame, grid, motion, paint, stays, xAxis, yAxis } from '@/components/chart';
import { formatCount } from '@/lib/format';
import { momentWords, SERIES, shortMoment, type Series } from './chart';
import type { Timeline, TimelinePoint, TimelineUnit } from './types';

const HEIGHT = 220;

const COLOURS: Record<Series, string> = {
  delivered: 'brand.fg',
  read: 'tick.read',
  answered: 'status.live.solid',
};
/** The lines can be distinguished without colours. */
const DASHES: Record<Series, string> = { delivered: 'none', read: '7 4', answered: '2 3' };

const counted = (count: number) => ({ count, shown: formatCount(count) });

/**
 * Deliveries, reads and answers over time: lines, or a table of the same figures. Loaded when it is
 * first shown.
 */
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

type Totals = Record<Series, number>;

function Lines({ timeline: { points, unit } }: { timeline: Timeline }) {
  const { t } = useTranslation('campaignReport');
  const [legend, setLegend] = useState<HTMLElement | null>(null);
  const totals = Object.fromEntries(
    SERIES.map((series) => [series, points.reduce((sum, point) => sum + point[series], 0)]),
  ) as Totals;
  return (
    <ChartFrame display="flex" flexDirection="column" gap="1">
      <div ref={setLegend} />
      <LineChart
        {...chart}
        aria-label={t('chart.words', {
          from: momentWords(points[0]?.at ?? '', unit),
          to: momentWords(points.at(-1)?.at ?? '', unit),
          delivered: t('chart.deliveries', counted(totals.delivered)),
          read: t('chart.reads', counted(totals.read)),
          answered: t('chart.answers', counted(totals.answered)),
        })}
        data={points}
        style={{ width: '100%', height: HEIGHT }}
        margin={{ top: 12, right: 12, bottom: 0, left: 4 }}
      >
        <CartesianGrid {...grid} />
        <XAxis
          {...xAxis}
          dataKey="at"
          tickFormatter={(at: string) => shortMoment(at, unit, points)}
          minTickGap={32}
          padding={{ left: 24, right: 24 }}
        />
        <YAxis {...yAxis} tickFormatter={formatCount} />
        <Legend portal={legend} content={<Values totals={totals} unit={unit} />} />
        <Tooltip
          content={() => null}
          cursor={{ stroke: paint('border.strong') }}
          active={stays()}
        />
        {SERIES.map((series) => (
          <Line
            {...motion}
            key={series}
            dataKey={series}
            stroke={paint(COLOURS[series])}
            strokeWidth={2}
            strokeDasharray={DASHES[series]}
            dot={points.length === 1 && { r: 3, strokeWidth: 0, fill: paint(COLOURS[series]) }}
            activeDot={{ r: 3, strokeWidth: 0 }}
          />
        ))}
      </LineChart>
    </ChartFrame>
  );
}

/** The value of each line: at the moment under the pointer, or in total. */
function Values({ totals, unit }: { totals: Totals; unit: TimelineUnit }) {
  const { t } = useTranslation('campaignReport');
  const shown = useActiveTooltipDataPoints<TimelinePoint>()?.[0];
  return (
    <chakra.div
      // The same height in both cases, so that nothing moves under the pointer.
      display={{ base: 'grid', md: 'flex' }}
      gridTemplateColumns="repeat(2, minmax(0, 1fr))"
      columnGap={{ base: '3', md: '5' }}
      rowGap="1"
    >
      {SERIES.map((series) => (
        <chakra.span
          key={series}
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          columnGap="1.5"
        >
          <chakra.svg aria-hidden w="4" h="2" flexShrink="0" viewBox="0 0 16 8">
            <chakra.path
              d="M0 4H16"
              stroke={COLOURS[series]}
              strokeWidth="2"
              strokeDasharray={DASHES[series]}
            />
          </chakra.svg>
          <chakra.span color="fg.muted">{t(`chart.series.${series}`)}</chakra.span>
          <chakra.span fontWeight="semibold">{formatCount((shown ?? totals)[series])}</chakra.span>
        </chakra.span>
      ))}
      <chakra.span color="fg.muted" ms="auto">
        {shown ? momentWords(shown.at, unit) : t('chart.inAll')}
      </chakra.span>
    </chakra.div>
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

/** The same figures as a table. */
function Figures({ timeline: { points, unit } }: { timeline: Timeline }) {
  const { t } = useTranslation('campaignReport');
  return (
    <chakra.div
      maxH="280px"
      overflow="auto"
      // Focusable, so that keys can scroll it.
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
