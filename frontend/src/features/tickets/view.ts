import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { TicketFilters, TicketStatus } from './api';

export type Tab = 'open' | 'closed' | 'search';
export type SubTab = Extract<TicketStatus, 'open' | 'pending'>;

/** What the list panel shows; it lives in the address, so that a reload or a link shows the same. */
export interface ListView {
  tab: Tab;
  subTab: SubTab;
  showAll: boolean;
  /** Chosen queues, 0 for 'without queue'; empty is all. */
  queues: number[];
  search: string;
}

const TABS: readonly string[] = ['open', 'closed', 'search'];

export function parseView(params: URLSearchParams): ListView {
  const tab = params.get('tab') ?? 'open';
  return {
    tab: TABS.includes(tab) ? (tab as Tab) : 'open',
    subTab: params.get('list') === 'pending' ? 'pending' : 'open',
    showAll: params.get('all') === '1',
    queues: (params.get('queues') ?? '')
      .split(',')
      .filter((text) => /^\d+$/.test(text))
      .map(Number),
    search: params.get('q') ?? '',
  };
}

/** The address's query for a view; what is usual is left out. */
export function formatView(view: ListView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.tab !== 'open') params.set('tab', view.tab);
  if (view.subTab !== 'open') params.set('list', view.subTab);
  if (view.showAll) params.set('all', '1');
  if (view.queues.length > 0) params.set('queues', view.queues.join(','));
  if (view.search) params.set('q', view.search);
  return params;
}

/** The filters of the list in view; a search looks through all statuses. */
export function filtersOf({ tab, subTab, showAll, queues, search }: ListView): TicketFilters {
  if (tab === 'search') return { showAll, queues, search: search.trim().toLowerCase() };
  return { status: tab === 'closed' ? 'closed' : subTab, showAll, queues };
}

export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => parseView(params), [params]);
  const change = useCallback(
    (part: Partial<ListView>) =>
      setParams((current) => formatView({ ...parseView(current), ...part }), { replace: true }),
    [setParams],
  );
  return [view, change];
}
