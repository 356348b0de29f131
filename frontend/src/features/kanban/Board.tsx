import { chakra } from '@chakra-ui/react';
import { DndContext, DragOverlay, type DragStartEvent } from '@dnd-kit/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState, Skeleton } from '@/components/States';
import { Switch } from '@/components/Toggle';
import { useReader, type Ticket } from '@/features/tickets/api';
import { formatCount } from '@/lib/format';
import { toast } from '@/lib/toast';
import { usePointerSensors } from '@/lib/usePointerSensors';
import { useStableCallback } from '@/lib/useStableCallback';
import { cardOf, lanesQuery, useMoveCard, useTicketTotal } from './api';
import { CardFace, cardShape, nameOf, type Preview } from './Card';
import { adjacentLane, laneUnder, type Drag, type Drop } from './drag';
import { useBoardEvents } from './events';
import { LaneColumn } from './LaneColumn';
import { OPEN_LANE } from './lanes';
import { LaneSkeletons, NoLanes } from './LaneStates';
import { LaneSwitcher } from './LaneSwitcher';
import { showLane, stepFocus } from './scrolling';
import type { BoardFilters, Lane } from './types';

interface BoardProps {
  filters: BoardFilters;
  /** Set for users who may see all tickets. */
  onShowAll?: (showAll: boolean) => void;
  /** The queue filter of the inbox. */
  queueFilter: ReactNode;
  Preview: Preview;
}

/** The kanban board: open and pending tickets by kanban tag (rules/screens §6). */
export function Board({ filters, onShowAll, queueFilter, Preview }: BoardProps) {
  const { t } = useTranslation('kanban');
  const client = useQueryClient();
  const reader = useReader();
  const found = useQuery(lanesQuery());
  const move = useMoveCard();
  const sensors = usePointerSensors();
  const scroller = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [dropped, setDropped] = useState<Drop | null>(null);
  const [words, setWords] = useState('');
  useBoardEvents();

  const open = t('lane.open');
  const lanes = useMemo(
    (): Lane[] => [{ id: OPEN_LANE, name: open, color: '' }, ...(found.data ?? [])],
    [found.data, open],
  );
  const laneIds = lanes.map(({ id }) => id);
  const nameOfLane = (laneId: number | null) => lanes.find(({ id }) => id === laneId)?.name ?? '';
  const total = useTicketTotal(found.data ? laneIds : [], filters);

  const dragging = drag?.by === 'pointer';
  useEffect(() => {
    if (!dragging) return;
    // Dropping a card on its own link must not open it.
    const swallow = (event: Event) => event.preventDefault();
    window.addEventListener('click', swallow, { capture: true });
    return () => {
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 50);
    };
  }, [dragging]);

  const { mutate } = move;
  const put = useCallback(
    (ticket: Ticket, laneId: number, focus: boolean) => {
      const lane = lanes.find(({ id }) => id === laneId);
      const now = cardOf(client, ticket.id);
      if (!lane || !now) return;
      mutate({ ticket: now, lane: lane.id === OPEN_LANE ? null : lane });
      setDropped({ ticketId: ticket.id, laneId, focus });
      setWords(t('dnd.dropped', { name: nameOf(ticket), lane: lane.name }));
    },
    [client, lanes, mutate, t],
  );
  const moveByMenu = useCallback(
    (ticket: Ticket, laneId: number) => put(ticket, laneId, true),
    [put],
  );
  const forgetDrop = useCallback(() => setDropped(null), []);
  const loseDrag = useCallback(() => {
    setDrag(null);
    toast.info(t('dnd.gone'));
  }, [t]);

  function lift(ticket: Ticket, from: number, by: Drag['by'], height: number) {
    setDropped(null);
    setDrag({ ticket, from, over: from, by, height });
    setWords(t('dnd.lifted', { name: nameOf(ticket), lane: nameOfLane(from) }));
  }

  function hover(over: number | null) {
    if (!drag || drag.over === over) return;
    setDrag({ ...drag, over });
    if (over !== null)
      setWords(t('dnd.over', { name: nameOf(drag.ticket), lane: nameOfLane(over) }));
  }

  function drop() {
    if (!drag) return;
    setDrag(null);
    if (drag.over === null || drag.over === drag.from) cancel();
    else put(drag.ticket, drag.over, drag.by === 'keyboard');
  }

  function cancel() {
    setDrag(null);
    if (drag)
      setWords(t('dnd.cancelled', { name: nameOf(drag.ticket), lane: nameOfLane(drag.from) }));
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, ticket: Ticket, laneId: number) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as -1 | 1 | undefined;
    if (drag?.by !== 'keyboard') {
      if (event.key === ' ') {
        event.preventDefault();
        const height = event.currentTarget.offsetHeight;
        if (event.currentTarget.ariaRoleDescription) lift(ticket, laneId, 'keyboard', height);
      } else if (stepFocus(event.currentTarget, event.key)) event.preventDefault();
      return;
    }
    if (event.key === 'Escape' || event.key === 'Tab') cancel();
    else if (event.key === ' ' || event.key === 'Enter') drop();
    else if (step !== undefined && drag.over !== null) {
      const next = adjacentLane(laneIds, drag.over, step);
      showLane(scroller.current, next);
      hover(next);
    }
    if (event.key !== 'Tab') event.preventDefault();
  };
  // A stable callback, so that the cards do not render again during a drag.
  const handleKeyDown = useStableCallback(onKeyDown);

  return (
    <chakra.div
      flex="1"
      minH="0"
      display="flex"
      flexDirection="column"
      gap="3"
      pt={{ base: '3', sm: '3.5' }}
      pb={{ base: '3', sm: '5' }}
      bg="bg.canvas"
    >
      <chakra.div display="flex" alignItems="center" gap="4" px={{ base: '4', sm: '6' }} minH="8">
        {queueFilter}
        {onShowAll && (
          <Switch
            labelFirst
            label={
              <chakra.span textStyle="sm" color="fg.muted">
                {t('showAll')}
              </chakra.span>
            }
            checked={filters.showAll}
            onChange={onShowAll}
          />
        )}
        <chakra.span flex="1" />
        <chakra.span
          hideBelow="sm"
          textStyle="sm"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
          whiteSpace="nowrap"
        >
          {total === null || !found.data ? (
            <Skeleton display="block" w="44" h="3" />
          ) : (
            t('total', {
              tickets: t('totalTickets', { count: total, formatted: formatCount(total) }),
              lanes: t('totalLanes', { count: lanes.length }),
            })
          )}
        </chakra.span>
      </chakra.div>
      {found.isError && !found.data ? (
        <ErrorState title={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isPending ? (
        <LaneSkeletons />
      ) : (
        <>
          <LaneSwitcher lanes={lanes} filters={filters} scroller={scroller} />
          <DndContext
            sensors={sensors}
            collisionDetection={laneUnder}
            autoScroll={{ threshold: { x: 0.12, y: 0 } }}
            accessibility={{
              // The board makes its own announcements for pointer and keys below.
              announcements: SILENT,
              screenReaderInstructions: { draggable: t('dnd.instructions') },
            }}
            onDragStart={({ active }: DragStartEvent) => {
              const { ticket, laneId } = active.data.current as { ticket: Ticket; laneId: number };
              lift(ticket, laneId, 'pointer', (active.rect.current.initial?.height ?? 96) - 8);
            }}
            onDragOver={({ over }) =>
              hover((over?.data.current?.laneId as number | undefined) ?? null)
            }
            onDragEnd={drop}
            onDragCancel={cancel}
          >
            <chakra.div
              ref={scroller}
              data-board
              flex="1"
              minH="0"
              display="flex"
              gap="3"
              px={{ base: '4', sm: '6' }}
              scrollPaddingInline={{ base: '4', sm: '6' }}
              overflowX="auto"
              overflowY="hidden"
              // Scroll snapping would undo the scrolling of a card at the board's edge.
              scrollSnapType={{ base: dragging ? 'none' : 'x mandatory', sm: 'none' }}
            >
              {lanes.map((lane) => (
                <LaneColumn
                  key={lane.id}
                  lane={lane}
                  lanes={lanes}
                  filters={filters}
                  reader={reader}
                  Preview={Preview}
                  drag={drag}
                  dropped={dropped}
                  onFocused={forgetDrop}
                  onLost={loseDrag}
                  onMove={moveByMenu}
                  onKeyDown={handleKeyDown}
                />
              ))}
              {found.data.length === 0 && <NoLanes />}
            </chakra.div>
            <DragOverlay dropAnimation={null}>
              {drag?.by === 'pointer' && (
                <chakra.div
                  {...cardShape}
                  cursor="grabbing"
                  boxShadow="dialog"
                  borderColor="brand.border"
                  transform="rotate(2.5deg)"
                >
                  <CardFace ticket={drag.ticket} Preview={Preview} />
                </chakra.div>
              )}
            </DragOverlay>
          </DndContext>
        </>
      )}
      <chakra.div srOnly role="status" aria-live="assertive">
        {words}
      </chakra.div>
    </chakra.div>
  );
}

const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};
