import { chakra } from '@chakra-ui/react';
import { useDraggable } from '@dnd-kit/core';
import { AlarmClock, ArrowRightLeft } from 'lucide-react';
import type { ComponentType, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '@/components/Badge';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { PriorityMark, type Ticket } from '@/features/tickets/api';
import type { Drag } from './drag';

/** How long a contact has waited: the inbox's component, passed by the page. */
export type Waited = ComponentType<{ since: string }>;

export interface Target {
  id: number;
  name: string;
}

interface TicketChipProps {
  ticket: Ticket;
  /** The place in which it is. */
  place: number;
  unansweredSince: string | null;
  Waited: Waited;
  drag: Drag | null;
  targets: readonly Target[];
  onMove: (ticket: Ticket, from: number, to: number) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>, ticket: Ticket, place: number) => void;
}

/** A ticket that is dragged to another person, by mouse, finger, keys or its menu. */
export function TicketChip(props: TicketChipProps) {
  const { ticket, place, unansweredSince, Waited, drag, targets, onMove, onKeyDown } = props;
  const { t } = useTranslation('desk');
  const { setNodeRef, attributes, listeners, isDragging } = useDraggable({
    id: ticket.id,
    data: { ticket, place },
  });
  const isLifted = isDragging || drag?.ticket.id === ticket.id;
  return (
    <chakra.div
      role="group"
      aria-label={ticket.contact.name}
      display="flex"
      alignItems="center"
      gap="1"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
      minW="0"
      {...(isLifted && { borderStyle: 'dashed', borderColor: 'border.control' })}
    >
      <chakra.div
        ref={setNodeRef}
        {...listeners}
        role="button"
        tabIndex={0}
        aria-roledescription={t('dnd.role')}
        aria-describedby={attributes['aria-describedby']}
        data-ticket={ticket.id}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => onKeyDown(event, ticket, place)}
        display="flex"
        flexDirection="column"
        gap="0.5"
        flex="1"
        minW="0"
        px="3"
        py="2"
        borderRadius="md"
        cursor="grab"
        userSelect="none"
        outline="none"
        css={{ WebkitTouchCallout: 'none' }}
        _focusVisible={{ boxShadow: 'focus' }}
      >
        <chakra.span display="flex" alignItems="center" gap="2" minW="0">
          <PriorityMark priority={ticket.priority} />
          <chakra.span flex="1" minW="0" textStyle="sm" fontWeight="medium" truncate>
            {ticket.contact.name}
          </chakra.span>
          {ticket.snoozedAt ? (
            <AlarmClock size={16} role="img" aria-label={t('team.snoozed')} />
          ) : (
            unansweredSince && <Waited since={unansweredSince} />
          )}
        </chakra.span>
        {ticket.queue && (
          <Chip colour={ticket.queue.color} shape="queue" plain>
            {ticket.queue.name}
          </Chip>
        )}
      </chakra.div>
      {targets.length > 0 && (
        <Menu
          trigger={
            <IconButton
              size="sm"
              label={t('dnd.moveTo', { name: ticket.contact.name })}
              icon={<ArrowRightLeft size={16} />}
            />
          }
          groups={[
            {
              label: t('dnd.menu'),
              entries: targets.map(({ id, name }) => ({
                id: String(id),
                label: name,
                onSelect: () => onMove(ticket, place, id),
              })),
            },
          ]}
        />
      )}
    </chakra.div>
  );
}
