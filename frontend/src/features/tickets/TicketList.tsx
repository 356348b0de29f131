import { useInfiniteQuery } from '@tanstack/react-query';
import { chakra } from '@chakra-ui/react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { Spinner } from '@/components/Button';
import { ErrorState, SkeletonRows } from '@/components/States';
import { paths } from '@/routes/paths';
import { ticketsOf, ticketsQuery, type Ticket, type TicketAction, type TicketFilters } from './api';
import { TicketRow } from './TicketRow';

const ROW_PX = 72;
/** The next page loads within this distance of the end (specification 2 §9). */
const NEAR_END_PX = 100;

interface TicketListProps {
  filters: TicketFilters;
  selected: string | undefined;
  empty: ReactNode;
  label: string;
  userId: number;
  isAdmin: boolean;
  onAction: (ticket: Ticket, action: TicketAction) => void;
  onSpy?: ((ticket: Ticket) => void) | undefined;
}

function rowAction(ticket: Ticket, userId: number, isAdmin: boolean) {
  if (ticket.status === 'pending') return 'accept';
  if (ticket.status === 'open' && (ticket.userId === userId || isAdmin)) return 'resolve';
  return null;
}

/** A virtual, endless list; live events move its rows, it is never fetched again for them. */
export function TicketList(props: TicketListProps) {
  const { filters, selected, empty, label, userId, isAdmin, onAction, onSpy } = props;
  const { t } = useTranslation('tickets');
  const { search } = useLocation();
  const list = useInfiniteQuery(ticketsQuery(filters));
  const tickets = useMemo(() => ticketsOf(list.data), [list.data]);
  const virtuoso = useRef<VirtuosoHandle>(null);
  const listKey = JSON.stringify(filters);
  useEffect(() => {
    virtuoso.current?.scrollToIndex(0);
  }, [listKey]);

  if (list.isPending) return <SkeletonRows rows={10} />;
  if (list.isError && tickets.length === 0)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (tickets.length === 0) return empty;
  return (
    <chakra.div flex="1" minH="0" role="region" aria-label={label}>
      <Virtuoso
        ref={virtuoso}
        style={{ height: '100%' }}
        data={tickets}
        computeItemKey={(_, ticket) => ticket.id}
        fixedItemHeight={ROW_PX}
        increaseViewportBy={ROW_PX * 6}
        atBottomThreshold={NEAR_END_PX}
        atBottomStateChange={(atEnd) => {
          if (atEnd && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
        }}
        itemContent={(_, ticket) => (
          <TicketRow
            ticket={ticket}
            to={`${paths.tickets}/${ticket.uuid}${search}`}
            selected={ticket.uuid === selected}
            action={rowAction(ticket, userId, isAdmin)}
            onAction={onAction}
            onSpy={onSpy}
          />
        )}
        components={{
          Footer: () =>
            list.isFetchingNextPage ? (
              <chakra.div
                display="flex"
                justifyContent="center"
                p="3"
                color="fg.muted"
                role="status"
                aria-label={t('list.loadingMore')}
              >
                <Spinner />
              </chakra.div>
            ) : null,
        }}
      />
    </chakra.div>
  );
}
