import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Tabs } from '@/components/Tabs';
import { useCurrentUser } from '@/stores/session';
import { ActivityTab } from './ActivityTab';
import { activityQuery, conversationsQuery, figuresQuery } from './api';
import { ConversationsTab } from './ConversationsTab';
import { FilterBar } from './FilterBar';
import { reachOf, searchOf, TABS, tabOf, type Search, type Tab } from './search';
import { Summary } from './Summary';

interface ReportsPageProps {
  onOpenTicket: (uuid: string) => void;
}

/** The boss's reports: figures, the conversations behind them, and people's days. */
export function ReportsPage({ onOpenTicket }: ReportsPageProps) {
  const { t } = useTranslation('reports');
  const [params, setParams] = useSearchParams();
  const isOwn = reachOf(useCurrentUser()) === 'own';
  // Of nobody else there is anything, so there is no filter by person to take back.
  const search = { ...searchOf(params), ...(isOwn && { userId: '' }) };
  const tab = tabOf(params);
  const change = (changes: Partial<Search> & { tab?: Tab }) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes))
          if (value) before.set(name, value);
          else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return (
    // The page scrolls as a whole.
    <chakra.div
      flex="1"
      minH="0"
      overflow="auto"
      display="flex"
      flexDirection="column"
      gap="4"
      p={{ base: '4', sm: '6' }}
      bg="bg.canvas"
    >
      <Tabs
        aria-label={t('tabs.label')}
        value={tab}
        onChange={(value) => change({ tab: value })}
        tabs={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
      />
      <FilterBar search={search} tab={tab} days={useDays(tab, search)} onChange={change} />
      {tab === 'summary' && <Summary search={search} />}
      {tab === 'conversations' && (
        <ConversationsTab search={search} onChange={change} onOpenTicket={onOpenTicket} />
      )}
      {tab === 'activity' && <ActivityTab search={search} />}
    </chakra.div>
  );
}

/** The days that the open tab's answer is about. */
function useDays(tab: Tab, search: Search) {
  const figures = useQuery({ ...figuresQuery(search), enabled: tab === 'summary' });
  const list = useInfiniteQuery({
    ...conversationsQuery(search),
    enabled: tab === 'conversations',
  });
  const activity = useInfiniteQuery({ ...activityQuery(search), enabled: tab === 'activity' });
  if (tab === 'summary') return figures.data;
  return tab === 'activity' ? activity.data?.pages[0] : list.data?.pages[0];
}
