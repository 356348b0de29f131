import { NO_QUEUE } from './fold';
import type { Reader, TicketFilters, TicketStatus } from './types';

type Tab = 'open' | 'closed' | 'search';
type SubTab = Extract<TicketStatus, 'open' | 'pending'>;

/** What the list panel shows; it lives in the address, so that a reload or a link shows the same. */
export interface ListView {
  tab: Tab;
  subTab: SubTab;
  /** Of the lists of open and closed tickets. */
  showAll: boolean;
  /** A search looks through everything one may see, unless it is told to keep to one's own. */
  searchesOwn: boolean;
  /** Chosen queues, 0 for 'without queue'; empty is all. */
  queues: number[];
  /** Chosen tags: tickets that carry all of them. */
  tags: number[];
  /** Chosen holders: tickets of any of them. */
  users: number[];
  unread: boolean;
  search: string;
}

const TABS: readonly string[] = ['open', 'closed', 'search'];

/** No filter at all; tab and search stay. */
export const UNFILTERED = { queues: [], tags: [], users: [], unread: false };

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
    search: params.get('q') ?? '',
  };
}

/** The address's query for a view; what is usual is left out. */
export function formatView(view: ListView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.tab !== 'open') params.set('tab', view.tab);
  if (view.subTab !== 'open') params.set('list', view.subTab);
  if (view.showAll) params.set('all', '1');
  if (view.searchesOwn) params.set('own', '1');
  for (const name of ['queues', 'tags', 'users'] as const)
    if (view[name].length > 0) params.set(name, view[name].join(','));
  if (view.unread) params.set('unread', '1');
  if (view.search) params.set('q', view.search);
  return params;
}

/** Whether the show-all switch of the tab in view is on. */
export const showsAll = ({ tab, showAll, searchesOwn }: ListView): boolean =>
  tab === 'search' ? !searchesOwn : showAll;

/** How many filters narrow the list. */
export const filterCount = ({ queues, tags, users, unread }: ListView): number =>
  queues.length + tags.length + users.length + (unread ? 1 : 0);

/**
 * The filters of the list in view, as far as its reader may use them; a search looks through all
 * statuses.
 */
export function filtersOf(view: ListView, reader: Reader): TicketFilters {
  const filters = {
    showAll: showsAll(view) && reader.seesAll === true,
    queues: reader.isAdmin ? view.queues : view.queues.filter((id) => id !== NO_QUEUE),
    tags: view.tags,
    users: reader.isAdmin ? view.users : [],
    unread: view.unread,
  };
  if (view.tab === 'search') return { ...filters, search: view.search.trim().toLowerCase() };
  return { ...filters, status: view.tab === 'closed' ? 'closed' : view.subTab };
}
