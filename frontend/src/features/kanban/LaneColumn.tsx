import { chakra } from '@chakra-ui/react';
import { useDroppable } from '@dnd-kit/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { loadNext, NEAR_END_PX, NextPage, type Pages } from '@/components/ListEnd';
import { ErrorState, Skeleton } from '@/components/States';
import { ticketsOf, type Reader, type Ticket } from '@/features/tickets/api';
import { formatCount } from '@/lib/format';
import { paths } from '@/routes/paths';
import { laneQuery } from './api';
import { Card, type Preview } from './Card';
import type { Drag, Drop } from './drag';
import { mayMove } from './fold';
import type { BoardFilters, Lane } from './types';
import { LaneDot } from './LaneDot';

/** The usual height of a card, so that the estimated height of a long lane is close. */
const CARD_PX = 96;

interface LaneColumnProps {
  lane: Lane;
  /** All lanes, as targets of a move. */
  lanes: readonly Lane[];
  filters: BoardFilters;
  reader: Reader;
  Preview: Preview;
  drag: Drag | null;
  dropped: Drop | null;
  onFocused: () => void;
  onLost: () => void;
  onMove: (ticket: Ticket, laneId: number) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>, ticket: Ticket, laneId: number) => void;
}

type Entry = { kind: 'card'; ticket: Ticket } | { kind: 'place'; height: number };

/** The cards, and the placeholder of the dragged card at its place by time. */
function entriesOf(tickets: readonly Ticket[], drag: Drag | null): Entry[] {
  const entries = tickets.map((ticket): Entry => ({ kind: 'card', ticket }));
  if (!drag) return entries;
  const { updatedAt, id } = drag.ticket;
  const place = tickets.findIndex(
    (other) => other.updatedAt < updatedAt || (other.updatedAt === updatedAt && other.id < id),
  );
  entries.splice(place < 0 ? entries.length : place, 0, { kind: 'place', height: drag.height });
  return entries;
}

export function CardSkeletons({ cards }: { cards: number }) {
  return Array.from({ length: cards }, (_, card) => (
    <chakra.div
      key={card}
      display="flex"
      flexDirection="column"
      gap="2.5"
      mb="2"
      px="3"
      py="3"
      bg="bg.raised"
      borderWidth="1px"
      borderRadius="md"
      style={{ opacity: 1 - card / (cards + 1) }}
    >
      <Skeleton h="3" style={{ width: `${50 + ((card * 17) % 30)}%` }} />
      <Skeleton h="2.5" style={{ width: `${65 + ((card * 23) % 30)}%` }} />
      <Skeleton h="2.5" w="35%" />
    </chakra.div>
  ));
}

/** A column of the board: its cards page by page, newest first. */
export function LaneColumn(props: LaneColumnProps) {
  const { lane, lanes, filters, reader, drag, dropped, onLost } = props;
  const { t } = useTranslation('kanban');
  const { setNodeRef } = useDroppable({ id: `lane-${lane.id}`, data: { laneId: lane.id } });
  const list = useInfiniteQuery(laneQuery(lane.id, filters));
  const tickets = useMemo(() => ticketsOf(list.data), [list.data]);
  const isTarget = drag !== null && drag.over === lane.id && drag.from !== lane.id;
  const entries = useMemo(
    () => entriesOf(tickets, isTarget ? drag : null),
    [tickets, isTarget, drag],
  );
  const virtuoso = useRef<VirtuosoHandle>(null);

  // Scrolls the placeholder, then the dropped card, into view.
  const droppedId = dropped?.laneId === lane.id ? dropped.ticketId : null;
  const shownIndex = entries.findIndex((entry) =>
    isTarget ? entry.kind === 'place' : entry.kind === 'card' && entry.ticket.id === droppedId,
  );
  const follows = isTarget || droppedId !== null;
  useEffect(() => {
    if (follows && shownIndex >= 0) virtuoso.current?.scrollIntoView({ index: shownIndex });
  }, [follows, shownIndex]);

  const isGone =
    drag?.from === lane.id && !list.isPending && !tickets.some(({ id }) => id === drag.ticket.id);
  useEffect(() => {
    if (isGone) onLost();
  }, [isGone, onLost]);

  const count = list.data?.pages[0]?.count;
  return (
    <chakra.section
      ref={setNodeRef}
      data-lane={lane.id}
      aria-label={lane.name}
      display="flex"
      flexDirection="column"
      flexShrink="0"
      w={{ base: 'calc(100vw - 56px)', sm: '272px' }}
      h="full"
      scrollSnapAlign="center"
      bg={isTarget ? 'brand.subtle' : 'bg.thread'}
      borderWidth="1px"
      borderColor={isTarget ? 'brand.border' : 'border.subtle'}
      borderRadius="md"
      transition="background-color {durations.fast}, border-color {durations.fast}"
    >
      <chakra.h2
        display="flex"
        alignItems="center"
        gap="2"
        h="10"
        flexShrink="0"
        px="4"
        textStyle="sm"
        fontWeight="semibold"
      >
        <LaneDot color={lane.color} />
        <chakra.span
          minW="0"
          overflow="hidden"
          textOverflow="ellipsis"
          whiteSpace="nowrap"
          title={lane.name}
        >
          {lane.name}
        </chakra.span>
        {count !== undefined && (
          <chakra.span
            flexShrink="0"
            fontWeight="normal"
            color="fg.muted"
            fontVariantNumeric="tabular-nums"
            aria-label={t('lane.count', { count })}
          >
            {formatCount(count)}
          </chakra.span>
        )}
      </chakra.h2>
      <chakra.div flex="1" minH="0" display="flex" flexDirection="column" ps="2">
        {list.isPending ? (
          <chakra.div pe="2" role="status" aria-label={t('lane.loading', { name: lane.name })}>
            <CardSkeletons cards={3} />
          </chakra.div>
        ) : list.isError && tickets.length === 0 ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : entries.length === 0 ? (
          <chakra.p px="2" py="6" textStyle="sm" color="fg.muted" textAlign="center">
            {t('lane.empty')}
          </chakra.p>
        ) : (
          <Virtuoso
            ref={virtuoso}
            style={{ height: '100%' }}
            data={entries}
            computeItemKey={(_, entry) => (entry.kind === 'place' ? 'place' : entry.ticket.id)}
            defaultItemHeight={CARD_PX}
            increaseViewportBy={CARD_PX * 4}
            atBottomThreshold={NEAR_END_PX}
            atBottomStateChange={(atEnd) => {
              if (atEnd) loadNext(list);
            }}
            itemContent={(_, entry) => (
              <chakra.div pe="2">
                {entry.kind === 'place' ? (
                  <chakra.div pb="2">
                    <chakra.div
                      borderWidth="1px"
                      borderStyle="dashed"
                      borderColor="brand.fg"
                      borderRadius="md"
                      bg="brand.subtle"
                      style={{ height: entry.height }}
                      data-place
                    />
                  </chakra.div>
                ) : (
                  <Card
                    ticket={entry.ticket}
                    laneId={lane.id}
                    to={paths.ticket(entry.ticket.uuid)}
                    Preview={props.Preview}
                    targets={mayMove(entry.ticket, reader) ? lanes : null}
                    isHeld={drag?.by === 'keyboard' && drag.ticket.id === entry.ticket.id}
                    takesFocus={dropped?.focus === true && droppedId === entry.ticket.id}
                    onFocused={props.onFocused}
                    onMove={props.onMove}
                    onKeyDown={props.onKeyDown}
                  />
                )}
              </chakra.div>
            )}
            context={list}
            components={parts}
          />
        )}
      </chakra.div>
    </chakra.section>
  );
}

function Footer({ context }: { context?: Pages }) {
  const { t } = useTranslation('kanban');
  return context && <NextPage pages={context} label={t('lane.loadingMore')} />;
}

const parts = { Footer };
