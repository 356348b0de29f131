import { useInfiniteQuery } from '@tanstack/react-query';
import { chakra } from '@chakra-ui/react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { loadNext, NEAR_END_PX, NextPage, type Pages } from '@/components/ListEnd';
import { ErrorState, SkeletonRows } from '@/components/States';
import { glide } from '@/lib/motion';
import { toast } from '@/lib/toast';
import { useStableCallback } from '@/lib/useStableCallback';
import { paths } from '@/routes/paths';
import { PRIORITIES, ticketsQuery, usePriority, type TicketAction } from './api';
import { ticketsOf } from './fold';
import type { ListedRow } from './heldRows';
import { ListPill } from './ListPill';
import { RowStyles } from './rowStyles';
import { TicketRow } from './TicketRow';
import type { Priority, Ticket, TicketFilters } from './types';
import { useHeldRows } from './useHeldRows';
import { useOffScreen } from './useOffScreen';
import { useListKeys, type KeyAction } from './useListKeys';
import { useRest } from './useRest';
import { useSliding } from './useSliding';

const ROW_PX = 72;
/** So far beyond its edges the list has its rows drawn. */
const BEYOND_PX = ROW_PX * 6;
/** Fewer rows than this may not fill the list, so that the user cannot scroll to its end. */
const FILLS_LIST = 20;

interface TicketListProps {
  filters: TicketFilters;
  selected: string | undefined;
  empty: ReactNode;
  label: string;
  userId: number;
  isAdmin: boolean;
  takes: boolean;
  resolves: boolean;
  /** How many tickets wait in this list; set for the waiting list. */
  waiting?: number | undefined;
  onAction: (ticket: Ticket, action: TicketAction) => void;
  onTransfer: (ticket: Ticket) => void;
  onSpy?: ((ticket: Ticket) => void) | undefined;
  /** The pointer or focus rests on a row, which may be opened next. */
  onRest?: ((ticket: Ticket) => void) | undefined;
}

type Person = Pick<TicketListProps, 'userId' | 'isAdmin' | 'takes' | 'resolves'>;

/** Whether a user may return and, if the role allows it, resolve the ticket. */
const leads = (ticket: Ticket, { userId, isAdmin }: Person) =>
  ticket.status === 'open' && (ticket.userId === userId || isAdmin);

function rowAction(ticket: Ticket, person: Person) {
  if (ticket.status === 'pending') return person.takes ? 'accept' : null;
  return person.resolves && leads(ticket, person) ? 'resolve' : null;
}

const isPriority = (action: KeyAction): action is Priority =>
  PRIORITIES.some((each) => each === action);

function Footer({ context }: { context?: Pages }) {
  const { t } = useTranslation('tickets');
  return context && <NextPage pages={context} label={t('list.loadingMore')} />;
}

/** A virtual list with infinite scrolling; live events move its rows without a new fetch. */
export function TicketList(props: TicketListProps) {
  const { t } = useTranslation('inbox');
  const list = useInfiniteQuery(ticketsQuery(props.filters));
  const { order } = props.filters;
  const tickets = useMemo(() => ticketsOf(list.data, order), [list.data, order]);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const isShort = tickets.length < FILLS_LIST;
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isShort, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  useEffect(() => {
    if (isError) toast.errorText(t('inbox:list.failed'));
  }, [isError, t]);

  const isLoading = list.isPending || (tickets.length === 0 && hasNextPage && !isError);
  if (isLoading) return <SkeletonRows rows={10} />;
  if (isError && tickets.length === 0)
    return (
      <ErrorState
        title={t('inbox:list.failed')}
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    );
  if (tickets.length === 0) return props.empty;
  return (
    <Rows
      {...props}
      // The key makes another list start at its top.
      key={JSON.stringify(props.filters)}
      tickets={tickets}
      pages={list}
    />
  );
}

interface RowsProps extends TicketListProps {
  tickets: Ticket[];
  pages: Pages;
}

function Rows(props: RowsProps) {
  const { tickets, pages, filters, selected, label, waiting } = props;
  const { onAction, onTransfer, onSpy, onRest } = props;
  const { t } = useTranslation(['inbox', 'tickets']);
  const { search } = useLocation();
  const navigate = useNavigate();
  const virtuoso = useRef<VirtuosoHandle>(null);
  const region = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const { rows, news, hold, release } = useHeldRows(tickets);
  const shown = useMemo(() => rows.map(({ ticket }) => ticket), [rows]);
  useSliding(
    scroller,
    useMemo(() => shown.map(({ id }) => id), [shown]),
    ROW_PX,
  );
  // At first only the rows that can be seen.
  const beyond = useDeferredValue(BEYOND_PX, 0);
  const off = useOffScreen(scroller, rows.length, ROW_PX);
  // Rows that are not loaded yet are below as well.
  const below = off.below + Math.max(0, (waiting ?? 0) - rows.length);
  // The page passes new callbacks on each render; a stable one lets unchanged rows skip rendering.
  const act = useStableCallback(onAction);
  const spy = useStableCallback((ticket: Ticket) => onSpy?.(ticket));

  const rest = useRest((ticketId) => {
    const ticket = shown.find(({ id }) => id === ticketId);
    if (ticket && ticket.uuid !== selected) onRest?.(ticket);
  });

  const addressOf = (ticket: Ticket) => {
    const params = new URLSearchParams(search);
    params.delete('message');
    if (ticket.match) params.set('message', String(ticket.match.messageId));
    const query = params.toString();
    return `${paths.tickets}/${ticket.uuid}${query && `?${query}`}`;
  };
  const { mutate: setPriority } = usePriority();
  const onKeyAction = (ticket: Ticket, action: KeyAction) => {
    if (isPriority(action)) setPriority({ ticket, priority: action });
    else if (action === 'transfer') onTransfer(ticket);
    else if (action === 'return' ? leads(ticket, props) : rowAction(ticket, props) === action)
      onAction(ticket, action);
  };
  const keys = useListKeys({
    tickets: shown,
    selected,
    virtuoso,
    region,
    onOpen: (ticket) => void navigate(addressOf(ticket)),
    onKeyAction,
  });

  const row = ({ ticket, isGone }: ListedRow) => (
    <div
      inert={isGone}
      style={isGone ? { opacity: 0.45 } : undefined}
      onFocus={() => keys.onRowFocus(ticket)}
    >
      <TicketRow
        ticket={ticket}
        to={addressOf(ticket)}
        selected={ticket.uuid === selected}
        tabIndex={ticket.id === keys.current ? 0 : -1}
        search={filters.search}
        action={rowAction(ticket, props)}
        onAction={act}
        onSpy={onSpy && spy}
      />
    </div>
  );

  return (
    <chakra.div
      ref={region}
      flex="1"
      minH="0"
      position="relative"
      role="region"
      aria-label={label}
      onKeyDown={keys.onKeyDown}
      onClick={keys.onClick}
      // A finger has no position until it presses.
      onPointerMove={(event) => event.pointerType === 'mouse' && hold()}
      onPointerOver={rest.onPointerOver}
      onFocus={rest.onFocus}
      onPointerLeave={() => {
        rest.leave();
        release();
      }}
    >
      <RowStyles />
      <Virtuoso
        ref={virtuoso}
        scrollerRef={(element) => {
          scroller.current = element instanceof HTMLElement ? element : null;
        }}
        style={{ height: '100%' }}
        tabIndex={-1}
        data={rows}
        context={pages}
        computeItemKey={(_, { ticket }) => ticket.id}
        fixedItemHeight={ROW_PX}
        increaseViewportBy={beyond}
        initialItemCount={Math.min(rows.length, Math.ceil(window.innerHeight / ROW_PX))}
        atBottomThreshold={NEAR_END_PX}
        atBottomStateChange={(atEnd) => {
          if (atEnd) loadNext(pages);
        }}
        itemContent={(_, listed) => row(listed)}
        components={{ Footer }}
      />
      {news > 0 && (
        <ListPill
          icon={ArrowUp}
          onClick={() => {
            release();
            virtuoso.current?.scrollToIndex({ index: 0, behavior: glide() });
          }}
        >
          {t('inbox:list.news', { count: news })}
        </ListPill>
      )}
      {waiting !== undefined && news === 0 && off.above > 0 && (
        <ListPill
          icon={ArrowUp}
          onClick={() => virtuoso.current?.scrollToIndex({ index: 0, behavior: glide() })}
        >
          {t('tickets:waiting.above', { count: off.above })}
        </ListPill>
      )}
      {waiting !== undefined && below > 0 && (
        <ListPill
          atEnd
          icon={ArrowDown}
          onClick={() =>
            virtuoso.current?.scrollBy({
              top: (scroller.current?.clientHeight ?? ROW_PX) - ROW_PX,
              behavior: glide(),
            })
          }
        >
          {t('tickets:waiting.below', { count: below })}
        </ListPill>
      )}
    </chakra.div>
  );
}
