import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ChartLine } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Button } from '@/components/Button';
import { CountBadge } from '@/components/Badge';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { Tabs } from '@/components/Tabs';
import { formatCount, formatDateTime } from '@/lib/format';
import { useWaitReason } from '../Standing';
import { StatusBadge } from '../StatusBadge';
import { reportQuery, timelineQuery } from './api';
import { useReportEvents } from './events';
import { Recipients, type RecipientsView } from './Recipients';
import { MainFacts, Results } from './Results';
import type { CampaignReport } from './types';
import { Variants } from './Variants';

const TimelineChart = lazy(() =>
  import('./TimelineChart').then((file) => ({ default: file.TimelineChart })),
);

type Tab = 'summary' | 'recipients';

/** The selected tab and its filters, stored in the address. */
function useView(): RecipientsView & { tab: Tab; open: (tab: Tab) => void } {
  const [params, setParams] = useSearchParams();
  const change = (part: Record<string, string | undefined>) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(part)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return {
    tab: params.get('tab') === 'recipients' ? 'recipients' : 'summary',
    search: params.get('search') ?? '',
    state: params.get('state') ?? '',
    change,
    open: (tab) => change({ tab: tab === 'summary' ? '' : tab }),
  };
}

interface ReportPageProps {
  campaignId: number;
  onBack: () => void;
  onOpenTicket: (uuid: string) => void;
}

/** The report of a campaign, updated while it runs. */
export function ReportPage({ campaignId, onBack, onOpenTicket }: ReportPageProps) {
  const { t } = useTranslation(['campaignReport', 'common']);
  const view = useView();
  const query = useQuery(reportQuery(campaignId));
  useReportEvents(campaignId);
  const report = query.data;
  if (query.error && !report)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <chakra.div
      flex="1"
      minH="0"
      overflow="auto"
      display="flex"
      flexDirection="column"
      gap="4"
      p={{ base: '4', sm: '6' }}
      bg="bg.canvas"
      aria-busy={!report}
    >
      <chakra.div
        display="flex"
        flexWrap={{ base: 'wrap', md: 'nowrap' }}
        alignItems="center"
        gap="2"
        minW="0"
      >
        <Button
          variant="ghost"
          size="sm"
          flexShrink="0"
          icon={<ArrowLeft size={16} aria-hidden />}
          onClick={onBack}
        >
          {t('back')}
        </Button>
        <chakra.h1 textStyle="md" fontWeight="semibold" minW="0" overflowWrap="anywhere">
          {report?.campaign.name}
        </chakra.h1>
      </chakra.div>
      {report ? (
        <Loaded report={report} view={view} onOpenTicket={onOpenTicket} />
      ) : (
        <Loading label={t('common:loading')} />
      )}
    </chakra.div>
  );
}

function Loaded({
  report,
  view,
  onOpenTicket,
}: {
  report: CampaignReport;
  view: ReturnType<typeof useView>;
  onOpenTicket: (uuid: string) => void;
}) {
  const { t } = useTranslation('campaignReport');
  return (
    <>
      <StatusLine report={report} />
      <Tabs
        aria-label={t('tabs.label')}
        value={view.tab}
        onChange={view.open}
        tabs={[
          { value: 'summary', label: t('tabs.summary') },
          {
            value: 'recipients',
            label: t('tabs.recipients'),
            badge: <CountBadge count={report.total} />,
          },
        ]}
      />
      {view.tab === 'summary' ? (
        <Summary report={report} />
      ) : (
        <chakra.div flex="1" minH="80" display="flex" flexDirection="column" gap="4">
          <Recipients
            campaignId={report.campaign.id}
            report={report}
            search={view.search}
            state={view.state}
            change={view.change}
            onOpenTicket={onOpenTicket}
          />
        </chakra.div>
      )}
    </>
  );
}

/** The delivered share of the possible deliveries, in words and as a bar. */
function StatusLine({ report }: { report: CampaignReport }) {
  const { t } = useTranslation('campaignReport');
  const { campaign, delivered, valid } = report;
  const waits = useWaitReason()(campaign);
  const share = valid > 0 ? Math.min(100, Math.floor((delivered / valid) * 100)) : 0;
  const words = t('progress', {
    delivered: t('deliveredCount', { count: delivered, shown: formatCount(delivered) }),
    valid: t('validCount', { count: valid, shown: formatCount(valid) }),
  });
  return (
    <chakra.section
      aria-label={t('statusLabel')}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      p="4"
      display="flex"
      flexDirection="column"
      gap="2.5"
    >
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
        <StatusBadge status={campaign.status} isWaiting={waits !== ''} />
        <chakra.span textStyle="sm" fontVariantNumeric="tabular-nums">
          {words}
        </chakra.span>
        {report.estimatedFinishAt && (
          <chakra.span textStyle="xs" color="fg.muted" ms={{ md: 'auto' }}>
            {t('finishesAt', { at: formatDateTime(report.estimatedFinishAt) })}
          </chakra.span>
        )}
      </chakra.div>
      <chakra.div
        role="progressbar"
        aria-label={t('progressLabel')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={words}
        h="2"
        borderRadius="full"
        bg="bg.subtle"
        overflow="hidden"
      >
        <chakra.div
          h="full"
          borderRadius="full"
          bg="brand.solid"
          transition="width"
          transitionDuration="slow"
          style={{ width: `${share}%` }}
        />
      </chakra.div>
      {waits && (
        <chakra.p role="status" textStyle="xs" color="status.waiting.fg">
          {waits}
        </chakra.p>
      )}
    </chakra.section>
  );
}

function Summary({ report }: { report: CampaignReport }) {
  const { t } = useTranslation('campaignReport');
  const { campaign } = report;
  const timeline = useQuery(timelineQuery(campaign));
  const skeleton = <Skeleton h="80" w="full" borderRadius="md" flexShrink="0" />;
  if (!campaign.startedAt)
    return (
      <>
        <MainFacts report={report} />
        <EmptyState
          icon={<ChartLine size={20} />}
          title={t('notStarted.title')}
          text={t('notStarted.text')}
        />
      </>
    );
  return (
    <>
      <MainFacts report={report} />
      <Results report={report} />
      {timeline.data ? (
        <Suspense fallback={skeleton}>
          <TimelineChart timeline={timeline.data} />
        </Suspense>
      ) : timeline.error ? (
        <ErrorState error={timeline.error} onRetry={() => void timeline.refetch()} />
      ) : (
        skeleton
      )}
      <Variants campaign={campaign} variants={report.variants} />
    </>
  );
}

function Loading({ label }: { label: string }) {
  return (
    <chakra.div role="status" aria-label={label} display="flex" flexDirection="column" gap="4">
      <Skeleton h="24" w="full" borderRadius="md" />
      <Skeleton h="16" w="full" borderRadius="md" />
      <Skeleton h="64" w="full" borderRadius="md" />
      <Skeleton h="80" w="full" borderRadius="md" />
    </chakra.div>
  );
}
