import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Rectangle,
  Tooltip,
  XAxis,
  YAxis,
  type TooltipContentProps,
} from 'recharts';
import { chart, ChartFrame, grid, motion, paint, stays, xAxis, yAxis } from '@/components/chart';
import { formatCount } from '@/lib/format';
import type { Hour } from './types';

const counted = (count: number) => ({ count, shown: formatCount(count) });

interface HoursBarsProps {
  hours: readonly Hour[];
  /** The current hour, 'HH:00'. */
  now: string;
  height: number;
}

/** A bar for each hour; loaded when it is first shown. */
export function HoursBars({ hours, now, height }: HoursBarsProps) {
  const { t } = useTranslation('dashboard');
  const busy = hours.filter(({ amount }) => amount > 0);
  const words = busy.map(({ time, amount }) => `${time}: ${t('hours.tickets', counted(amount))}`);
  return (
    <ChartFrame>
      <BarChart
        {...chart}
        aria-label={words.join('; ') || t('hours.empty')}
        data={hours}
        style={{ width: '100%', height }}
        margin={{ top: 12, right: 12, bottom: 0, left: 4 }}
        barCategoryGap="19%"
      >
        <CartesianGrid {...grid} strokeDasharray="3 3" />
        <XAxis {...xAxis} dataKey="time" axisLine={{ stroke: paint('border.strong') }} />
        <YAxis {...yAxis} tickFormatter={formatCount} />
        <Tooltip
          content={Tip}
          cursor={{ fill: paint('brand.subtle'), fillOpacity: 0.6, stroke: 'none' }}
          position={{ y: 16 }}
          offset={24}
          isAnimationActive={false}
          active={stays()}
        />
        <Bar
          {...motion}
          dataKey="amount"
          fill={paint('brand.solid')}
          radius={[3, 3, 0, 0]}
          activeBar
          shape={({ isActive, ...bar }) => (
            // The current hour is lighter.
            <Rectangle
              {...bar}
              fillOpacity={isActive ? 1 : hours[bar.index]?.time === now ? 0.45 : 0.8}
            />
          )}
        />
      </BarChart>
      {busy.length === 0 && (
        <chakra.p
          aria-hidden
          position="absolute"
          insetInline="8"
          top="90px"
          textAlign="center"
          textStyle="sm"
          color="fg.muted"
          pointerEvents="none"
        >
          {t('hours.empty')}
        </chakra.p>
      )}
    </ChartFrame>
  );
}

function Tip({ label, payload: [hour] }: TooltipContentProps) {
  const { t } = useTranslation('dashboard');
  return (
    hour && (
      <chakra.div
        aria-hidden
        bg="bg.raised"
        boxShadow="popover"
        borderRadius="md"
        px="3"
        py="2"
        textStyle="sm"
        whiteSpace="nowrap"
      >
        <chakra.p fontWeight="semibold">{label}</chakra.p>
        <chakra.p display="flex" alignItems="center" gap="2" color="fg.muted">
          <chakra.span w="2" h="2" borderRadius="2px" bg="brand.solid" />
          {t('hours.tickets', counted(Number(hour.value)))}
        </chakra.p>
      </chakra.div>
    )
  );
}
