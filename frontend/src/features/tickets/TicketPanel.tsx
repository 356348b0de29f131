import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CheckCheck, Inbox, Plus, Search, SearchX } from 'lucide-react';
import { lazy, memo, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CountBadge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { Segmented, Tabs } from '@/components/Tabs';
import { Switch } from '@/components/Toggle';
import { mentionsQuery } from '@/features/messages/api';
import { isFocusLost } from '@/lib/focusLost';
import { useShortcuts } from '@/lib/useShortcuts';
import { useStableCallback } from '@/lib/useStableCallback';
import { touch } from '@/theme/screens';
import { ticketCountsQuery, type TicketAction } from './api';
import { ActiveFilters, MoreFilters } from './ListFilters';
import { endListFocus, useListFocus } from './listFocus';
import { QueueFilter } from './QueueFilter';
import { TicketList } from './TicketList';
import type { Ticket } from './types';
import { useReader } from './useReader';
import { filterCount, filtersOf, showsAll, UNFILTERED, type ListView } from './view';

const MentionsButton = lazy(() =>
  import('./MentionsButton').then((file) => ({ default: file.MentionsButton })),
);

interface TicketPanelProps {
  view: ListView;
  onView: (change: Partial<ListView>) => void;
  selected: string | undefined;
  onNewTicket: () => void;
  onAction: (ticket: Ticket, action: TicketAction) => void;
  onTransfer: (ticket: Ticket) => void;
  onSpy: (ticket: Ticket) => void;
  /** The pointer or focus rests on a row, which may be opened next. */
  onRest: (ticket: Ticket) => void;
}

const SEARCH_ID = 'ticket-search';
const focusSearch = () => document.getElementById(SEARCH_ID)?.focus();

/**
 * The content of a list without rows. It cancels a pending request to focus the list's current row:
 * the user has seen the empty list and does not expect a later row to take the focus.
 */
function NoRows({ children }: { children: ReactNode }) {
  const wanted = useListFocus((list) => list.wanted);
  useEffect(() => {
    if (wanted?.ticketId === null) endListFocus();
  }, [wanted]);
  return children;
}

/** The list side of the inbox: tabs, filters, counts and the list. */
export function TicketPanel(props: TicketPanelProps) {
  const { view, onView, selected, onNewTicket } = props;
  const { onAction, onTransfer, onSpy, onRest } = props;
  const { t } = useTranslation(['tickets', 'inbox']);
  const reader = useReader();
  const { isAdmin, seesAll: maySpy } = reader;
  const filters = filtersOf(view, reader);
  const counts = useQuery(ticketCountsQuery(filters));
  const beginTicket = useStableCallback(onNewTicket);

  useShortcuts({
    '/': () => (view.tab === 'search' ? focusSearch() : onView({ tab: 'search' })),
    n: () => {
      if (reader.begins) onNewTicket();
    },
  });

  // A list that is loading or empty has no row to focus, so the panel gets the focus.
  const section = useRef<HTMLElement>(null);
  const wanted = useListFocus((list) => list.wanted);
  useEffect(() => {
    if (wanted && !section.current?.contains(document.activeElement))
      section.current?.focus({ preventScroll: true });
  }, [wanted]);

  // A page that has just opened has no focus yet: the keys of the list begin here.
  useEffect(() => {
    if (isFocusLost()) section.current?.focus({ preventScroll: true });
  }, []);

  const newTicket = reader.begins && (
    <Button variant="outline" size="sm" icon={<Plus size={16} />} onClick={onNewTicket}>
      {t('newTicket.action')}
    </Button>
  );
  const filtered = (
    <EmptyState
      icon={<SearchX size={20} />}
      title={t('inbox:empty.filteredTitle')}
      text={t('inbox:empty.filteredText')}
      action={
        <Button variant="outline" size="sm" onClick={() => onView(UNFILTERED)}>
          {t('inbox:filters.clearAll')}
        </Button>
      }
    />
  );
  const empty =
    filterCount(view) > 0
      ? filtered
      : {
          open: (
            <EmptyState
              title={t(`empty.${view.subTab}.title`)}
              text={t(`empty.${view.subTab}.text`)}
              action={newTicket}
            />
          ),
          closed: (
            <EmptyState
              icon={<CheckCheck size={20} />}
              title={t('empty.closed.title')}
              text={t('empty.closed.text')}
            />
          ),
          search: <EmptyState icon={<SearchX size={20} />} title={t('empty.search.title')} />,
        }[view.tab];

  return (
    <chakra.section
      ref={section}
      tabIndex={-1}
      outline="none"
      onBlur={endListFocus}
      aria-label={t('panel')}
      display="flex"
      flexDirection="column"
      flex="1"
      minH="0"
      bg="bg.surface"
    >
      <Head
        view={view}
        onView={onView}
        onNewTicket={beginTicket}
        isAdmin={isAdmin}
        maySpy={maySpy}
        open={counts.data?.open}
        pending={counts.data?.pending}
        isFailed={counts.isError}
      />
      {view.tab === 'search' && !view.search.trim() && filterCount(view) === 0 ? (
        <NoRows>
          <EmptyState icon={<Inbox size={20} />} title={t('search.hint')} />
        </NoRows>
      ) : (
        <TicketList
          filters={filters}
          selected={selected}
          empty={<NoRows>{empty}</NoRows>}
          label={t(view.tab === 'open' ? `subTabs.${view.subTab}` : `tabs.${view.tab}`)}
          userId={reader.userId}
          isAdmin={isAdmin}
          takes={reader.takes}
          resolves={reader.resolves}
          waiting={filters.status === 'pending' ? (counts.data?.pending ?? 0) : undefined}
          onAction={onAction}
          onTransfer={onTransfer}
          onSpy={maySpy ? onSpy : undefined}
          onRest={onRest}
        />
      )}
    </chakra.section>
  );
}

interface HeadProps extends Pick<TicketPanelProps, 'view' | 'onView' | 'onNewTicket'> {
  isAdmin: boolean;
  maySpy: boolean;
  /** How many tickets the two open lists have. */
  open: number | undefined;
  pending: number | undefined;
  isFailed: boolean;
}

/** Tabs, filters and counts. Memoised, because opening a ticket changes only the list. */
const Head = memo(function Head(props: HeadProps) {
  const { view, onView, onNewTicket, isAdmin, maySpy, open, pending, isFailed } = props;
  const { begins } = useReader();
  const { data } = useQuery({ ...mentionsQuery(), enabled: false });
  const isMentioned = data !== undefined && data.mentions.length > 0;
  const { t } = useTranslation(['tickets', 'inbox']);
  return (
    <>
      <chakra.div display="flex" alignItems="center" gap="2" px="4" pt="3">
        <chakra.div flex="1" minW="0">
          <Segmented
            aria-label={t('tabs.label')}
            value={view.tab}
            onChange={(tab) => onView({ tab, search: '' })}
            tabs={[
              { value: 'open', label: t('tabs.open') },
              { value: 'closed', label: t('tabs.closed') },
              { value: 'search', label: t('tabs.search'), icon: <Search size={16} aria-hidden /> },
            ]}
          />
        </chakra.div>
        {isMentioned && (
          <Suspense fallback={null}>
            <MentionsButton />
          </Suspense>
        )}
        {begins && (
          <IconButton
            label={t('newTicket.action')}
            variant="solid"
            size="sm"
            icon={<Plus size={20} />}
            onClick={onNewTicket}
          />
        )}
      </chakra.div>
      {view.tab === 'search' && (
        <chakra.div px="4" pt="3">
          <SearchInput
            autoFocus
            id={SEARCH_ID}
            label={t('search.label')}
            placeholder={t('search.placeholder')}
            value={view.search}
            // Clearing the search returns to the open tickets (rules/screens §4).
            onSearch={(search) => onView(search.trim() ? { search } : { search: '', tab: 'open' })}
          />
        </chakra.div>
      )}
      <chakra.div
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        h="10"
        css={{ [touch]: { h: '12' } }}
        mt="1"
        px="4"
        borderBottomWidth={view.tab === 'open' ? '0' : '1px'}
      >
        <QueueFilter
          value={view.queues}
          onChange={(queues) => onView({ queues })}
          isAdmin={isAdmin}
        />
        <chakra.div display="flex" alignItems="center" gap="2" flexShrink="0">
          <MoreFilters view={view} onView={onView} isAdmin={isAdmin} />
          {maySpy && (
            <Switch
              labelFirst
              label={
                <chakra.span textStyle="sm" color="fg.muted">
                  {t('filter.showAll')}
                </chakra.span>
              }
              checked={showsAll(view)}
              onChange={(on) =>
                onView(view.tab === 'search' ? { searchesOwn: !on } : { showAll: on })
              }
            />
          )}
        </chakra.div>
      </chakra.div>
      <ActiveFilters view={view} onView={onView} isAdmin={isAdmin} />
      {view.tab === 'open' && (
        <Tabs
          aria-label={t('subTabs.label')}
          inset="4"
          value={view.subTab}
          onChange={(subTab) => onView({ subTab })}
          tabs={[
            {
              value: 'open',
              label: t('subTabs.open'),
              badge: (
                <CountBadge
                  count={open}
                  failed={isFailed}
                  tone={view.subTab === 'open' ? 'soft' : 'neutral'}
                />
              ),
            },
            {
              value: 'pending',
              label: t('subTabs.pending'),
              badge: (
                <CountBadge
                  count={pending}
                  failed={isFailed}
                  tone={pending ? 'waiting' : 'neutral'}
                />
              ),
            },
          ]}
        />
      )}
    </>
  );
});
