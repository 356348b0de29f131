import { chakra } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { Panel } from '@/components/Panel';
import type { Hour } from './types';

const HoursBars = lazy(() => import('./HoursBars').then((file) => ({ default: file.HoursBars })));

const HEIGHT = 240;

interface HoursChartProps {
  hours: readonly Hour[] | undefined;
  /** The current hour, 'HH:00'. */
  now: string;
}

/** How many tickets were created in each hour of today. */
export function HoursChart({ hours, now }: HoursChartProps) {
  const { t } = useTranslation('dashboard');
  const total = hours?.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  const skeleton = <Skeleton display="block" w="full" style={{ height: HEIGHT }} />;
  return (
    <Panel
      title={t('hours.title')}
      aside={hours && t('hours.soFar', { count: total, shown: formatCount(total) })}
    >
      <chakra.div px={{ base: '2', md: '4' }} pb="3">
        <Suspense fallback={skeleton}>
          {hours ? <HoursBars hours={hours} now={now} height={HEIGHT} /> : skeleton}
        </Suspense>
      </chakra.div>
    </Panel>
  );
}
