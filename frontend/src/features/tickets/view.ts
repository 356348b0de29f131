import { NO_QUEUE } from './fold';
import type { Reader, TicketFilters, TicketStatus } from './types';

type Tab = 'open' | 'closed' | 'search';
type SubTab = Extract<TicketStatus, 'open' | 'pending'>;

/**
 * The state of the list panel. It is stored in the address, so that a reload or a link restores it.
 */
export interface ListView {
  tab: Tab;
  subTab: SubTab;
  /** Show-all of the lists of open and closed tickets. */
  showAll: boolean;
  /**
   * A search covers all tickets that the user may see, unless this restricts it to the user's own.
   */
  searchesOwn: boolean;
  /** The chosen queues, 0 for 'without queue'; empty means all. */
  queues: number[];
  /** The chosen tags: tickets that have all of them. */
  tags: number[];
  /** The chosen holders: tickets of any of them. */
  users: number[];
  unread: boolean;
  /** Only tickets that a campaign began and nobody answered. */
  campaigns: boolean;
  /** Only tickets whose 24-hour window closes within the hour and whose contact waits. */
  closing: boolean;
  /** Only snoozed tickets, which the lists of live tickets leave out otherwise. */
  snoozed: boolean;
  /** The nearest deadline first. */
  nearest: boolean;
  search: string;
}

const TABS: readonly string[] = ['open', 'closed', 'search'];

/** No filters; tab and search stay. */
export const UNFILTERED = {
  queues: [],
  tags: [],
  users: [],
  unread: false,
  campaigns: false,
  closing: false,
  snoozed: false,
};

const idsOf = (text: string | null) => [
  ...new Set(
    (text ?? '')
      .split(',')
      .filter((each) => /^\d{1,15}$/.test(each))
      .map(Number),
  ),
];

export function parseView(params: URLSearchParams): ListView {
  const tab = params.get('tab') ?? 'open';
  return {
    tab: TABS.includes(tab) ? (tab as Tab) : 'open',
    subTab: params.get('list') === 'pending' ? 'pending' : 'open',
    showAll: params.get('all') === '1',
    searchesOwn: params.get('own') === '1',
    queues: idsOf(params.get('queues')),
    tags: idsOf(params.get('tags')),
    users: idsOf(params.get('users')),
    unread: params.get('unread') === '1',
    campaigns: params.get('campaigns') === '1',
    closing: params.get('closing') === '1',
    snoozed: params.get('snoozed') === '1',
    nearest: params.get('order') === 'deadline',
    search: params.get('q') ?? '',
  };
}

/** Converts a view to the address's query; default values are omitted. */
export function formatView(view: ListView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.tab !== 'open') params.set('tab', view.tab);
  if (view.subTab !== 'open') params.set('list', view.subTab);
  if (view.showAll) params.set('all', '1');
  if (view.searchesOwn) params.set('own', '1');
  for (const name of ['queues', 'tags', 'users'] as const)
    if (view[name].length > 0) params.set(name, view[name].join(','));
  if (view.unread) params.set('unread', '1');
  if (view.campaigns) params.set('campaigns', '1');
  if (view.closing) params.set('closing', '1');
  if (view.snoozed) params.set('snoozed', '1');
  if (view.nearest) params.set('order', 'deadline');
  if (view.search) params.set('q', view.search);
  return params;
}

/** Whether show-all is on in the current tab. */
export const showsAll = ({ tab, showAll, searchesOwn }: ListView): boolean =>
  tab === 'search' ? !searchesOwn : showAll;

/** The number of active filters. */
export const filterCount = (view: ListView): number =>
  view.queues.length +
  view.tags.length +
  view.users.length +
  [view.unread, view.campaigns, view.closing, view.snoozed].filter(Boolean).length;

/**
 * The filters of the current list, as far as the user may use them; a search covers all statuses.
 */
export function filtersOf(view: ListView, reader: Reader): TicketFilters {
  const filters = {
    showAll: showsAll(view) && reader.seesAll === true,
    queues: reader.isAdmin ? view.queues : view.queues.filter((id) => id !== NO_QUEUE),
    tags: view.tags,
    users: reader.isAdmin ? view.users : [],
    unread: view.unread,
    campaigns: view.campaigns,
    closing: view.closing,
    snoozed: view.snoozed,
  };
  if (view.tab === 'search') return { ...filters, search: view.search.trim().toLowerCase() };
  if (view.tab === 'closed') return { ...filters, status: 'closed' };
  if (view.nearest && reader.hasDeadlines)
    return { ...filters, status: view.subTab, order: 'nearest_deadline' };
  const isByWait = view.subTab === 'pending' && reader.longestFirst === true;
  return { ...filters, status: view.subTab, ...(isByWait && { order: 'longest_waiting' }) };
}
