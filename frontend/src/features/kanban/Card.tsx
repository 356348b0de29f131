import { chakra } from '@chakra-ui/react';
import { useDraggable } from '@dnd-kit/core';
import { ArrowRightLeft, User } from 'lucide-react';
import { memo, useEffect, useRef, type ComponentType, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Avatar } from '@/components/Avatar';
import { Chip, CountBadge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Menu } from '@/components/Menu';
import {
  DeadlineMark,
  isUnread,
  PriorityMark,
  SnoozedUntil,
  type Ticket,
} from '@/features/tickets/api';
import { formatLastMessageTime, formatPhone } from '@/lib/format';
import { useCurrentUser } from '@/stores/session';
import { reach } from '@/theme/screens';
import type { Lane } from './types';
import { LaneDot } from './LaneDot';

const CardLink = chakra(Link);

/** The number of tags, besides the lane's, that fit under a message. */
const SHOWN_TAGS = 3;

/** The last message in one or more lines: the inbox's component, passed by the page. */
export type Preview = ComponentType<{ ticket: Ticket; lines: number }>;

/** The contact's name; a phone number is formatted. */
export const nameOf = ({ contact }: Ticket) =>
  /^\+?\d{8,}$/.test(contact.name) ? formatPhone(contact.name) : contact.name;

const ellipsis = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function Holder({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('kanban');
  const words = ticket.user ? t('card.holder', { name: ticket.user.name }) : t('card.waiting');
  return (
    <chakra.span display="inline-flex" flexShrink="0" title={words}>
      {ticket.user ? (
        <Avatar name={ticket.user.name} size={20} />
      ) : (
        <chakra.span
          aria-hidden
          display="inline-flex"
          alignItems="center"
          justifyContent="center"
          w="5"
          h="5"
          borderRadius="full"
          borderWidth="1px"
          borderStyle="dashed"
          borderColor="border.control"
          color="fg.subtle"
        >
          <User size={12} strokeWidth={1.75} />
        </chakra.span>
      )}
      <chakra.span srOnly>{words}</chakra.span>
    </chakra.span>
  );
}

interface CardFaceProps {
  ticket: Ticket;
  Preview: Preview;
  /** Without hover the menu of lanes is at the end of the first line. */
  hasMenu?: boolean;
}

/** The content of a card, also of the one being dragged. */
export function CardFace({ ticket, Preview, hasMenu = false }: CardFaceProps) {
  const { t } = useTranslation('kanban');
  const name = nameOf(ticket);
  const unread = isUnread(ticket, useCurrentUser().id);
  const tags = ticket.tags.filter(({ kanban }) => kanban !== 1);
  const queueName = ticket.queue?.name ?? t('card.withoutQueue');
  return (
    <>
      <chakra.span display="flex" alignItems="center" gap="2">
        <PriorityMark priority={ticket.priority} />
        <chakra.span
          flex="1"
          minW="0"
          textStyle="md"
          fontWeight={unread ? 'semibold' : 'medium'}
          title={name}
          {...ellipsis}
        >
          {name}
        </chakra.span>
        <chakra.time
          dateTime={ticket.updatedAt}
          flexShrink="0"
          textStyle="xs"
          fontVariantNumeric="tabular-nums"
          color={unread ? 'brand.fg' : 'fg.muted'}
          fontWeight={unread ? 'semibold' : 'normal'}
          css={
            hasMenu
              ? {
                  '.group:hover &, .group:focus-within &': { visibility: 'hidden' },
                  '@media (hover: none)': { marginInlineEnd: '5', visibility: 'visible!' },
                }
              : {}
          }
        >
          {formatLastMessageTime(ticket.updatedAt)}
        </chakra.time>
      </chakra.span>
      <Preview ticket={ticket} lines={2} />
      {tags.length > 0 && (
        <chakra.span display="flex" gap="2" mt="1" minW="0">
          {tags.slice(0, SHOWN_TAGS).map((tag) => (
            <Chip key={tag.id} colour={tag.color} shape="tag" plain>
              {tag.name}
            </Chip>
          ))}
          {tags.length > SHOWN_TAGS && (
            <chakra.span
              flexShrink="0"
              textStyle="xs"
              color="fg.muted"
              title={tags.map((tag) => tag.name).join(', ')}
            >
              +{tags.length - SHOWN_TAGS}
            </chakra.span>
          )}
        </chakra.span>
      )}
      <chakra.span display="flex" alignItems="center" gap="2" mt="1.5" h="5">
        <chakra.span display="flex" flex="1" minW="0" title={queueName}>
          <Chip
            colour={ticket.queue?.color ?? 'var(--chakra-colors-fg-subtle)'}
            shape="queue"
            plain
          >
            {queueName}
          </Chip>
        </chakra.span>
        <DeadlineMark dueAt={ticket.slaDueAt} warnsAt={ticket.slaWarnsAt} />
        {ticket.snoozedAt && <SnoozedUntil until={ticket.snoozedUntil} />}
        {ticket.unreadMessages > 0 && (
          <CountBadge
            count={ticket.unreadMessages}
            tone="brand"
            label={t('card.unread', { count: ticket.unreadMessages })}
          />
        )}
        <Holder ticket={ticket} />
      </chakra.span>
    </>
  );
}

export const cardShape = {
  display: 'flex',
  flexDirection: 'column',
  px: '3',
  py: '2.5',
  bg: 'bg.raised',
  borderWidth: '1px',
  borderColor: 'border.subtle',
  borderRadius: 'md',
  textAlign: 'start',
} as const;

interface CardProps {
  ticket: Ticket;
  laneId: number;
  to: string;
  Preview: Preview;
  /** The target lanes, except its own; null for users who may not move the card. */
  targets: readonly Lane[] | null;
  isHeld: boolean;
  /** The card was just moved here and takes the focus. */
  takesFocus: boolean;
  onFocused: () => void;
  onMove: (ticket: Ticket, laneId: number) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>, ticket: Ticket, laneId: number) => void;
}

/** A ticket on the board: a link that can be dragged to another lane. */
export const Card = memo(function Card(props: CardProps) {
  const { ticket, laneId, targets, isHeld, takesFocus, onFocused } = props;
  const { t } = useTranslation('kanban');
  const { setNodeRef, attributes, listeners, isDragging } = useDraggable({
    id: ticket.id,
    data: { ticket, laneId },
    disabled: targets === null,
  });
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    link.current?.focus();
    onFocused();
  }, [takesFocus, onFocused]);
  const hasMenu = targets !== null && targets.length > 1;
  const isLifted = isDragging || isHeld;
  return (
    <chakra.article
      ref={setNodeRef}
      className="group"
      position="relative"
      pb="2"
      {...(takesFocus && { animation: 'scale-in {durations.moderate} {easings.out}' })}
    >
      <CardLink
        ref={link}
        to={props.to}
        data-card={ticket.id}
        draggable={false}
        {...cardShape}
        // A long press drags the card instead of opening the browser's link menu.
        css={{ WebkitTouchCallout: 'none' }}
        userSelect="none"
        cursor={targets === null ? 'pointer' : 'grab'}
        outline="none"
        // The card stays readable at its old place during the drag.
        {...(isLifted && {
          bg: 'transparent',
          borderStyle: 'dashed',
          borderColor: 'border.control',
        })}
        _hover={{ borderColor: 'border.strong' }}
        _focusVisible={{ borderColor: 'brand.fg', boxShadow: 'focus' }}
        {...(targets !== null && {
          'aria-roledescription': t('dnd.role'),
          'aria-describedby': attributes['aria-describedby'],
        })}
        {...listeners}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => props.onKeyDown(event, ticket, laneId)}
      >
        <CardFace ticket={ticket} Preview={props.Preview} hasMenu={hasMenu && !isLifted} />
      </CardLink>
      {hasMenu && !isLifted && (
        <chakra.span
          position="absolute"
          top="1.5"
          insetEnd="1.5"
          bg="bg.raised"
          borderRadius="sm"
          opacity="0"
          css={{
            '.group:hover &, .group:focus-within &, &:has([data-state=open])': { opacity: 1 },
            // Touch screens have no hover, and need room above and below.
            '@media (hover: none)': { opacity: 1, top: '2.5', bg: 'transparent' },
          }}
        >
          <Menu
            trigger={
              <Button
                variant="ghost"
                size="sm"
                square
                w="6"
                h="6"
                // No text of the card is below it.
                css={reach}
                aria-label={t('card.move', { name: nameOf(ticket) })}
                title={t('card.moveTo')}
              >
                <ArrowRightLeft size={14} strokeWidth={1.75} />
              </Button>
            }
            groups={[
              {
                label: t('card.moveTo'),
                entries: targets.map((lane) => ({
                  id: String(lane.id),
                  label: lane.name,
                  icon: <LaneDot color={lane.color} />,
                  checked: lane.id === laneId,
                  disabled: lane.id === laneId,
                  onSelect: () => props.onMove(ticket, lane.id),
                })),
              },
            ]}
          />
        </chakra.span>
      )}
    </chakra.article>
  );
});
