import { chakra } from '@chakra-ui/react';
import { DndContext, DragOverlay, pointerWithin, useDroppable } from '@dnd-kit/core';
import { useQuery } from '@tanstack/react-query';
import { Coffee, UsersRound } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Chip } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Page } from '@/components/Page';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import type { Ticket } from '@/features/tickets/api';
import { ApiError } from '@/lib/api/errors';
import { formatCount } from '@/lib/format';
import { may, opens } from '@/lib/permissions';
import { foldText } from '@/lib/search';
import { toast } from '@/lib/toast';
import { usePointerSensors } from '@/lib/usePointerSensors';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { teamQuery, useChoosePresence, useMoveTicket } from './calls';
import { useDistributes } from './presences';
import { nextPlace, QUEUE, userOf, type Drag } from './drag';
import { useTeamEvents } from './events';
import { MemberRow } from './MemberRow';
import { MoveNoteDialog } from './MoveNoteDialog';
import { ReasonsDialog } from './ReasonsDialog';
import { SeatDialog } from './SeatDialog';
import { TicketChip, type Waited } from './TicketChip';
import { TimelineDialog } from './TimelineDialog';
import type { Move, Team, TeamMember } from './types';

/** Loads and hours change by the clock alone, without an event. */
const EVERY_MS = 60_000;
/** Online people first, then paused ones, each by name. */
const RANK = { online: 0, paused: 1, offline: 2 } as const;
const inOrder = (left: TeamMember, right: TeamMember) =>
  RANK[left.presence.presence] - RANK[right.presence.presence] ||
  left.name.localeCompare(right.name);

const mayHold = ({ seesAll, queues }: TeamMember, ticket: Ticket) =>
  seesAll || queues.some(({ id }) => id === ticket.queueId);

const moveOf = ({ ticket, from, over }: Drag): Move => ({
  ticketId: ticket.id,
  fromUserId: userOf(from),
  toUserId: userOf(over ?? from),
});

/** The team now, for supervisors: who is there, with what, and tickets to move (rules/desk §7). */
export function TeamPage({ Waited }: { Waited: Waited }) {
  const { t } = useTranslation('desk');
  const isOn = useDistributes();
  const [isOpen, setOpen] = useState(false);
  const user = useCurrentUser();
  const reasons = may(user, 'queues:manage') && (
    <Button variant="outline" icon={<Coffee size={16} />} onClick={() => setOpen(true)}>
      {t('reasons.title')}
    </Button>
  );
  if (!isOn)
    return (
      <Page>
        <EmptyState
          icon={<UsersRound size={20} />}
          title={t('team.off')}
          text={t('team.offText')}
          action={
            opens(user, 'queues') && (
              <Button asChild variant="outline">
                <Link to={paths.queues}>{t('team.toQueues')}</Link>
              </Button>
            )
          }
        />
      </Page>
    );
  return (
    <>
      <Members Waited={Waited} action={reasons} />
      {isOpen && <ReasonsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function Members({ Waited, action }: { Waited: Waited; action: ReactNode }) {
  const { t } = useTranslation('desk');
  const found = useQuery({ ...teamQuery(), refetchOnMount: 'always', refetchInterval: EVERY_MS });
  const [typed, setTyped] = useState('');
  useTeamEvents();
  const tools = <SearchInput label={t('team.search')} value={typed} onSearch={setTyped} />;
  if (found.isError && !found.data)
    return (
      <Page>
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </Page>
    );
  return (
    <Page tools={tools} action={action}>
      {found.data ? (
        <Places team={found.data} typed={typed} Waited={Waited} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Page>
  );
}

function Places({ team, typed, Waited }: { team: Team; typed: string; Waited: Waited }) {
  const { t } = useTranslation('desk');
  const sensors = usePointerSensors();
  const move = useMoveTicket();
  const choose = useChoosePresence();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [drag, setDrag] = useState<Drag | null>(null);
  /** A move that waits for the note that the queue wants. */
  const [asked, setAsked] = useState<Drag | null>(null);
  const [words, setWords] = useState('');
  const [dialog, setDialog] = useState<{ id: number; kind: 'seat' | 'timeline' } | null>(null);
  const shown = team.members
    .filter(({ name }) => foldText(name).includes(foldText(typed)))
    .sort(inOrder);
  const member = team.members.find(({ id }) => id === dialog?.id);
  const nameOf = (place: number | null) =>
    place === QUEUE ? t('dnd.queue') : (team.members.find(({ id }) => id === place)?.name ?? '');
  const isAllowed = (place: number, ticket: Ticket) =>
    place === QUEUE || team.members.some((each) => each.id === place && mayHold(each, ticket));
  const placesFor = (ticket: Ticket) =>
    [QUEUE, ...shown.map(({ id }) => id)].filter((place) => isAllowed(place, ticket));

  const tellMoved = ({ ticket, over }: Drag) =>
    setWords(t('dnd.dropped', { name: ticket.contact.name, place: nameOf(over) }));
  const put = (ticket: Ticket, from: number, to: number) => {
    if (from === to || !isAllowed(to, ticket)) {
      setWords(t('dnd.cancelled', { name: ticket.contact.name }));
      return;
    }
    const going = { ticket, from, over: to };
    move.mutate(moveOf(going), {
      onSuccess: () => tellMoved(going),
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'ERR_TRANSFER_NOTE_REQUIRED')
          setAsked(going);
        else toast.error(error);
      },
    });
  };
  const lift = (ticket: Ticket, from: number) => {
    setDrag({ ticket, from, over: from });
    setWords(t('dnd.lifted', { name: ticket.contact.name, place: nameOf(from) }));
  };
  const hover = (over: number | null) => {
    if (!drag || drag.over === over) return;
    setDrag({ ...drag, over });
    if (over !== null)
      setWords(t('dnd.over', { name: drag.ticket.contact.name, place: nameOf(over) }));
  };
  const end = (isDropped: boolean) => {
    if (!drag) return;
    setDrag(null);
    if (isDropped && drag.over !== null) put(drag.ticket, drag.from, drag.over);
    else setWords(t('dnd.cancelled', { name: drag.ticket.contact.name }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, ticket: Ticket, place: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined;
    if (drag?.ticket.id !== ticket.id) {
      if (event.key !== ' ' && event.key !== 'Enter') return;
      event.preventDefault();
      lift(ticket, place);
      return;
    }
    if (event.key === 'Escape' || event.key === 'Tab') end(false);
    else if (event.key === ' ' || event.key === 'Enter') end(true);
    else if (step !== undefined) {
      const next = nextPlace(placesFor(ticket), drag.over, step);
      hover(next);
      document.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key !== 'Tab') event.preventDefault();
  };
  const chipOf = (ticket: Ticket, place: number, unansweredSince: string | null) => (
    <TicketChip
      key={ticket.id}
      ticket={ticket}
      place={place}
      unansweredSince={unansweredSince}
      Waited={Waited}
      drag={drag}
      targets={placesFor(ticket)
        .filter((each) => each !== place)
        .map((id) => ({ id, name: nameOf(id) }))}
      onMove={put}
      onKeyDown={onKeyDown}
    />
  );
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const placeOf = (data: unknown) => (data as { place?: number } | undefined)?.place ?? null;

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{
        announcements: SILENT,
        screenReaderInstructions: { draggable: t('dnd.instructions') },
      }}
      onDragStart={({ active }) => {
        const { ticket, place } = active.data.current as { ticket: Ticket; place: number };
        lift(ticket, place);
      }}
      onDragOver={({ over }) => hover(placeOf(over?.data.current))}
      onDragEnd={() => end(true)}
      onDragCancel={() => end(false)}
    >
      <chakra.div flex="1" minH="0" overflowY="auto" display="flex" flexDirection="column" gap="4">
        <QueuePlace over={drag !== null && drag.over === QUEUE}>
          {team.waiting.map((queue) => (
            <chakra.span key={queue.queueId} display="inline-flex" alignItems="center" gap="2">
              <Chip colour={queue.color} shape="queue">
                {queue.name}
              </Chip>
              <chakra.span textStyle="sm" fontVariantNumeric="tabular-nums">
                {formatCount(queue.count)}
              </chakra.span>
              <Waited since={queue.since} />
            </chakra.span>
          ))}
        </QueuePlace>
        {team.forSupervisors.length > 0 && (
          <chakra.section aria-label={t('team.forSupervisors')}>
            <chakra.h2 textStyle="sm" fontWeight="semibold" mb="2">
              {t('team.forSupervisors')}
            </chakra.h2>
            <chakra.div
              display="grid"
              gap="2"
              gridTemplateColumns={{ base: '1fr', md: '1fr 1fr', xl: '1fr 1fr 1fr' }}
            >
              {team.forSupervisors.map((ticket) => chipOf(ticket, QUEUE, ticket.lastInboundAt))}
            </chakra.div>
          </chakra.section>
        )}
        {shown.length === 0 ? (
          <EmptyState title={t('team.nobody')} />
        ) : (
          <chakra.ul
            aria-label={t('team.label')}
            p="0"
            display="flex"
            flexDirection="column"
            gap="2"
          >
            {shown.map((each) => (
              <MemberRow
                key={each.id}
                member={each}
                Waited={Waited}
                isOpen={open.has(each.id)}
                onToggle={() => toggle(each.id)}
                over={
                  drag?.over !== each.id || drag.from === each.id
                    ? null
                    : mayHold(each, drag.ticket)
                      ? 'yes'
                      : 'no'
                }
                onSettings={() => setDialog({ id: each.id, kind: 'seat' })}
                onTimeline={() => setDialog({ id: each.id, kind: 'timeline' })}
                onPresence={(choice) =>
                  choose.mutate(
                    { ...choice, userId: each.id },
                    { onError: (error) => toast.error(error) },
                  )
                }
                chip={(held) => chipOf(held.ticket, each.id, held.unansweredSince)}
              />
            ))}
          </chakra.ul>
        )}
      </chakra.div>
      <DragOverlay dropAnimation={null}>
        {drag && (
          <chakra.div
            px="3"
            py="2"
            borderWidth="1px"
            borderColor="brand.border"
            borderRadius="md"
            bg="bg.raised"
            boxShadow="dialog"
            cursor="grabbing"
            textStyle="sm"
            fontWeight="medium"
          >
            {drag.ticket.contact.name}
          </chakra.div>
        )}
      </DragOverlay>
      <chakra.div srOnly role="status" aria-live="assertive">
        {words}
      </chakra.div>
      {asked && (
        <MoveNoteDialog
          name={asked.ticket.contact.name}
          place={nameOf(asked.over)}
          move={moveOf(asked)}
          onClose={() => setAsked(null)}
          onMoved={() => {
            setAsked(null);
            tellMoved(asked);
          }}
        />
      )}
      {member && dialog?.kind === 'seat' && (
        <SeatDialog member={member} onClose={() => setDialog(null)} />
      )}
      {member && dialog?.kind === 'timeline' && (
        <TimelineDialog member={member} onClose={() => setDialog(null)} />
      )}
    </DndContext>
  );
}

/** What waits, and the place where a ticket goes back to its queue. */
function QueuePlace({ over, children }: { over: boolean; children: ReactNode[] }) {
  const { t } = useTranslation('desk');
  const { setNodeRef } = useDroppable({ id: `place-${QUEUE}`, data: { place: QUEUE } });
  return (
    <chakra.section
      ref={setNodeRef}
      data-place={QUEUE}
      aria-label={t('team.waiting')}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="4"
      rowGap="2"
      px="3"
      py="2.5"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
      {...(over && { borderColor: 'brand.fg', bg: 'brand.subtle' })}
    >
      <chakra.h2 textStyle="sm" fontWeight="semibold">
        {t('team.waiting')}
      </chakra.h2>
      {children.length > 0 ? (
        children
      ) : (
        <chakra.span textStyle="sm" color="fg.muted">
          {t('team.nothingWaits')}
        </chakra.span>
      )}
    </chakra.section>
  );
}

const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};
