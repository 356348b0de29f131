import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/States';
import { useSetting } from '@/features/settings/api';
import { refetch } from '@/lib/refetch';
import { toast } from '@/lib/toast';
import { breakdownQuery, dashboardKeys, dashboardQuery } from './api';
import { Attendants } from './Attendants';
import { BreakdownPart } from './BreakdownPart';
import { Cards } from './Cards';
import { useDashboardEvents } from './events';
import { FilterBar } from './FilterBar';
import {
  askedOf,
  daysOf,
  faultsOf,
  firstFilters,
  hourIn,
  type Asked,
  type Filters,
} from './filters';
import { HoursChart } from './HoursChart';

/**
 * The delay after opening: a user who only passes through causes no request (rules/dashboard §6).
 */
export const LOAD_MS = 1000;

interface DashboardPageProps {
  onOpenTicket: (uuid: string) => void;
  /** What messages cost this month, for those who may know. */
  meters: ReactNode;
  /** Deadlines met and missed in the days asked for, where there are some. */
  deadlines: (days: Asked) => ReactNode;
  /** Opens the conversations behind a figure, as the report's list narrows them. */
  onOpenConversations?: (narrow: Record<string, string>) => void;
}

/** How attendance goes. */
export function DashboardPage({
  onOpenTicket,
  meters,
  deadlines,
  onOpenConversations,
}: DashboardPageProps) {
  const { t } = useTranslation(['dashboard', 'errors', 'common']);
  const zone = useSetting('timeZone') || 'America/Sao_Paulo';
  const [filters, setFilters] = useState<Filters>(() => firstFilters(zone));
  const [asked, setAsked] = useState<Asked>(() => askedOf(firstFilters(zone)) as Asked);
  const [isDue, setDue] = useState(false);
  // Errors are not shown while the user is typing.
  const [isJudged, setJudged] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), LOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  useDashboardEvents();
  const figures = useQuery({ ...dashboardQuery(asked), enabled: isDue });
  const parts = useQuery({ ...breakdownQuery(asked), enabled: isDue });
  const faults = faultsOf(filters);
  const shown = figures.data;
  const wanted = askedOf(filters);
  const days = daysOf(asked, zone);
  const openConversations =
    onOpenConversations &&
    days &&
    ((narrow: Record<string, string>) => onOpenConversations({ ...days, ...narrow }));
  const behind = openConversations ? { onOpenConversations: openConversations } : {};
  const isSame = JSON.stringify(wanted) === JSON.stringify(asked);

  const change = (next: Filters) => {
    setJudged(false);
    setFilters(next);
  };
  const askAgain = () => {
    setAsking(true);
    void refetch(client, dashboardKeys.all).finally(() => setAsking(false));
  };
  const ask = () => {
    if (!wanted) {
      toast.errorText(t('errors:ERR_DASHBOARD_FILTER'));
      return;
    }
    setJudged(true);
    if (faults.from || faults.to) return;
    setDue(true);
    setAsked(wanted);
    // The same days again cause a new fetch.
    if (isSame) askAgain();
  };

  return (
    <chakra.div
      flex="1"
      minH="0"
      overflow="auto"
      display="flex"
      flexDirection="column"
      gap="3"
      p={{ base: '4', sm: '6' }}
      bg="bg.canvas"
      aria-busy={!shown && !figures.error}
    >
      {!shown && !figures.error && (
        <chakra.span srOnly role="status">
          {t('common:loading')}
        </chakra.span>
      )}
      <FilterBar
        filters={filters}
        faults={isJudged ? faults : { from: undefined, to: undefined }}
        onChange={change}
        onAsk={ask}
        // Other days are asked for while those of the opening are still on their way.
        isAsking={
          isAsking ||
          (isSame && isDue && figures.isFetching && (figures.isPlaceholderData || !shown))
        }
        asked={asked}
      />
      {figures.error && !shown ? (
        <ErrorState error={figures.error} onRetry={askAgain} />
      ) : (
        <>
          <Cards counters={shown?.counters} {...behind} />
          {isDue && meters}
          <HoursChart hours={shown?.hours} now={hourIn(zone)} />
          <Attendants attendants={shown?.attendants} query={figures} {...behind} />
          {isDue && deadlines(asked)}
          <BreakdownPart
            breakdown={parts.data}
            query={parts}
            asked={asked}
            isDue={isDue}
            onOpenTicket={onOpenTicket}
            {...behind}
          />
        </>
      )}
    </chakra.div>
  );
}
