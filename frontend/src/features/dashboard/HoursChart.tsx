import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { barAt, barPath, labelStep, ticksOf } from './bars';
import { Panel } from './Panel';
import type { Hour } from './types';

const HEIGHT = 240;
const FIRST_WIDTH = 640;
const TOP = 12;
const BOTTOM = 28;
const RIGHT = 12;
const LABEL_PX = 42;
const TIP_PX = 150;

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

interface HoursChartProps {
  hours: readonly Hour[] | undefined;
  /** The hour that it is now, 'HH:00'. */
  now: string;
}

/** How many tickets were created in each hour of today. */
export function HoursChart({ hours, now }: HoursChartProps) {
  const { t } = useTranslation('dashboard');
  const total = hours?.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  return (
    <Panel
      title={t('hours.title')}
      aside={hours && t('hours.soFar', { count: total, shown: formatCount(total) })}
    >
      <chakra.div px={{ base: '2', md: '4' }} pb="3">
        {hours ? (
          <Bars hours={hours} now={now} />
        ) : (
          <Skeleton display="block" w="full" style={{ height: HEIGHT }} />
        )}
      </chakra.div>
    </Panel>
  );
}

function Bars({ hours, now }: { hours: readonly Hour[]; now: string }) {
  const { t } = useTranslation('dashboard');
  const [ref, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const ticks = ticksOf(hours.reduce((most, { amount }) => Math.max(most, amount), 0));
  const most = ticks.at(-1) ?? 1;
  const left = 16 + formatCount(most).length * 7;
  const room = width - left - RIGHT;
  const slot = room / hours.length;
  const bar = Math.max(2, slot * 0.62);
  const base = HEIGHT - BOTTOM;
  const yOf = (amount: number) => base - (amount / most) * (base - TOP);
  const step = labelStep(hours.length, room, LABEL_PX);
  const shown = pointed === null ? undefined : hours[pointed];
  const busy = hours.filter(({ amount }) => amount > 0);
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setPointed(barAt(event.clientX - box.left, left, room, hours.length));
  };
  return (
    <chakra.div ref={ref} position="relative" w="full" minW="0">
      <chakra.svg
        role="img"
        aria-label={
          busy.length > 0
            ? busy
                .map(({ time, amount }) => `${time}: ${t('hours.tickets', counted(amount))}`)
                .join('; ')
            : t('hours.empty')
        }
        display="block"
        w="full"
        style={{ height: HEIGHT }}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        onPointerMove={move}
        onPointerDown={move}
        // What a finger pointed at stays to be read.
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setPointed(null)}
      >
        {pointed !== null && (
          <chakra.rect
            x={left + pointed * slot}
            y={TOP}
            width={slot}
            height={base - TOP}
            fill="brand.subtle"
            opacity="0.6"
          />
        )}
        {ticks.map((tick) => (
          <g key={tick}>
            <chakra.path
              d={`M${left} ${yOf(tick)}H${width - RIGHT}`}
              stroke={tick === 0 ? 'border.strong' : 'border.subtle'}
              strokeWidth="1"
              strokeDasharray={tick === 0 ? 'none' : '3 3'}
            />
            <chakra.text
              x={left - 10}
              y={yOf(tick) + 4}
              textAnchor="end"
              fill="fg.muted"
              fontSize="xs"
              fontVariantNumeric="tabular-nums"
            >
              {formatCount(tick)}
            </chakra.text>
          </g>
        ))}
        {hours.map(({ time, amount }, place) => {
          const middle = left + (place + 0.5) * slot;
          return (
            <g key={time}>
              {amount > 0 && (
                <chakra.path
                  d={barPath(middle - bar / 2, yOf(amount), bar, base - yOf(amount))}
                  fill="brand.solid"
                  // The hour that is not over yet is lighter.
                  opacity={pointed === place ? 1 : time === now ? 0.45 : 0.8}
                />
              )}
              {place % step === 0 && (
                <chakra.text
                  x={middle}
                  y={HEIGHT - 8}
                  textAnchor="middle"
                  fill={pointed === place ? 'fg.default' : 'fg.muted'}
                  fontWeight={pointed === place ? 'semibold' : 'normal'}
                  fontSize="xs"
                  fontVariantNumeric="tabular-nums"
                >
                  {time}
                </chakra.text>
              )}
            </g>
          );
        })}
      </chakra.svg>
      {busy.length === 0 && (
        <chakra.p
          aria-hidden
          position="absolute"
          insetInline="0"
          top="90px"
          textAlign="center"
          textStyle="sm"
          color="fg.muted"
        >
          {t('hours.empty')}
        </chakra.p>
      )}
      {pointed !== null && shown && (
        <chakra.div
          aria-hidden
          position="absolute"
          top="4"
          pointerEvents="none"
          bg="bg.raised"
          boxShadow="popover"
          borderRadius="md"
          px="3"
          py="2"
          textStyle="sm"
          whiteSpace="nowrap"
          style={{
            left: Math.max(
              0,
              left + (pointed + 1) * slot + 8 + TIP_PX > width
                ? left + pointed * slot - 8 - TIP_PX
                : left + (pointed + 1) * slot + 8,
            ),
            minWidth: TIP_PX,
          }}
        >
          <chakra.p fontWeight="semibold">{shown.time}</chakra.p>
          <chakra.p display="flex" alignItems="center" gap="2" color="fg.muted">
            <chakra.span w="2" h="2" borderRadius="2px" bg="brand.solid" />
            {t('hours.tickets', counted(shown.amount))}
          </chakra.p>
        </chakra.div>
      )}
    </chakra.div>
  );
}

const counted = (count: number) => ({ count, shown: formatCount(count) });
