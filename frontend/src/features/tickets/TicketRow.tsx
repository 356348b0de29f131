import { chakra } from '@chakra-ui/react';
import { Bot, CheckCheck, Eye } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Avatar } from '@/components/Avatar';
import { Badge, CountBadge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { formatLastMessageTime, formatPhone } from '@/lib/format';
import { findFolded, foldText } from '@/lib/search';
import { useCurrentUser } from '@/stores/session';
import { useUnsent } from '@/stores/unsent';
import { touch } from '@/theme/screens';
import { autoResponderOf, type TicketAction } from './api';
import { Highlight } from '@/components/Highlight';
import { HandedOverMark } from './HandedOverMark';
import { DraftLine, FoundMessage, FoundNumber, LastMessage, UnsentLine } from './LastMessage';
import type { Ticket } from './types';
import { isHandedOver, isUnread } from './unopened';
import { Waited } from './Waited';

const RowLink = chakra(Link);

/** Truncates a name to 20 characters if it has 25 or more (rules/screens §4). */
function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length >= 25 ? `${letters.slice(0, 20).join('')}…` : name;
}

/** Formats a phone number; returns a name unchanged. */
const displayName = (name: string) => (/^\+?\d{8,}$/.test(name) ? formatPhone(name) : name);

interface TicketRowProps {
  ticket: Ticket;
  to: string;
  selected: boolean;
  /** 0 for the list's one row in the tab order, else -1. */
  tabIndex?: 0 | -1;
  /** The search term of the list; in another list undefined. */
  search?: string | undefined;
  /** The action shown on hover; none for closed tickets. */
  action: Extract<TicketAction, 'accept' | 'resolve'> | null;
  onAction: (ticket: Ticket, action: TicketAction) => void;
  /** Set for users who may read a conversation without taking part. */
  onSpy?: ((ticket: Ticket) => void) | undefined;
}

function Tags({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const responder = autoResponderOf(ticket);
  const shown = ticket.tags.slice(0, responder ? 1 : 2);
  const rest = ticket.tags.length - shown.length;
  return (
    <>
      {responder && (
        <chakra.span display="inline-flex" alignItems="center" gap="1" flexShrink="0">
          <Bot size={14} strokeWidth={1.75} aria-hidden />
          {t(`row.leading.${responder}`)}
        </chakra.span>
      )}
      {shown.map((tag) => (
        <chakra.span key={tag.id} display="inline-flex" alignItems="center" gap="1.5" minW="0">
          <chakra.span
            aria-hidden
            w="2"
            h="2"
            flexShrink="0"
            borderRadius="2px"
            style={{ backgroundColor: tag.color }}
          />
          <chakra.span overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
            {tag.name}
          </chakra.span>
        </chakra.span>
      ))}
      {rest > 0 && <chakra.span flexShrink="0">+{rest}</chakra.span>}
    </>
  );
}

const STATUS_TONES = { open: 'live', pending: 'waiting', closed: 'neutral' } as const;

/** The padding at the end of the row. */
const ROW_END_PX = 16;
/** The width of the hover action from the end of the row, in px; this space is kept free. */
const ROOM = { accept: 128, resolve: 48 } as const;

const HOVERED = '.group:hover &, .group:focus-within &';
/** A touch screen has no hover: there the conversation's own buttons serve. */
const HOVER = '@media (hover: hover)';

type RowActionProps = Pick<TicketRowProps, 'ticket' | 'tabIndex' | 'onAction'> & {
  action: NonNullable<TicketRowProps['action']>;
};

/**
 * The action shown while a row is hovered or focused, in place of the time. The preview button is
 * below it. The accept button ends where the resolve button begins, so that a double click, or a
 * click out of habit, never resolves.
 */
function RowAction({ ticket, tabIndex, action, onAction }: RowActionProps) {
  const { t } = useTranslation('tickets');
  const label = t(`actions.${action}`);
  const props = {
    size: 'sm',
    tabIndex,
    onClick: (event: MouseEvent) => {
      // The second press of a double click was meant for the button that was here before.
      if (event.detail < 2) onAction(ticket, action);
    },
  } as const;
  return (
    <chakra.span
      position="absolute"
      top="1.5"
      insetEnd={action === 'accept' ? '12' : '2.5'}
      opacity="0"
      pointerEvents="none"
      css={{ [HOVER]: { [HOVERED]: { opacity: 1, pointerEvents: 'auto' } } }}
    >
      {action === 'accept' ? (
        <Button {...props}>{label}</Button>
      ) : (
        <IconButton
          {...props}
          label={label}
          variant="outline"
          icon={<CheckCheck size={16} strokeWidth={1.75} />}
        />
      )}
    </chakra.span>
  );
}

/**
 * The message that was not sent, the draft, or the last message; in a search the matching message
 * or number.
 */
function SecondLine({
  ticket,
  search,
  selected,
}: Pick<TicketRowProps, 'ticket' | 'search' | 'selected'>) {
  const unsent = useUnsent(({ tickets }) => tickets[ticket.id]);
  // The open conversation shows its draft in the input.
  const draft = useUnsent(({ drafts }) => (selected ? undefined : drafts[ticket.id]));
  if (search && ticket.match) return <FoundMessage body={ticket.match.body} term={search} />;
  const isNamed = !search || findFolded(ticket.contact.name, foldText(search)) !== null;
  if (!isNamed) return <FoundNumber contact={ticket.contact} term={search} />;
  if (unsent && (unsent.isFailed || unsent.waits)) return <UnsentLine unsent={unsent} />;
  return draft ? <DraftLine text={draft} /> : <LastMessage ticket={ticket} />;
}

/** A ticket in a list: 72 px high, the whole row is a link. */
export const TicketRow = memo(function TicketRow(props: TicketRowProps) {
  const { ticket, to, selected, tabIndex = 0, search, action, onAction, onSpy } = props;
  const { t } = useTranslation('tickets');
  const name = displayName(ticket.contact.name);
  const user = useCurrentUser();
  const handedOver = isHandedOver(ticket, user.id);
  const unread = isUnread(ticket, user.id);
  const queueName = ticket.queue?.name ?? t('row.withoutQueue');
  return (
    <chakra.div className="group" position="relative" h="18" data-ticket={ticket.id}>
      <chakra.span
        title={queueName}
        position="absolute"
        insetBlock="2"
        insetStart="0"
        w="3px"
        zIndex="1"
        borderEndRadius="2px"
        bg="fg.subtle"
        {...(ticket.queue && { style: { backgroundColor: ticket.queue.color } })}
      />
      <RowLink
        to={to}
        // Opening the ticket that is already open means to go on writing.
        state={{ writes: true }}
        tabIndex={tabIndex}
        aria-current={selected ? 'true' : undefined}
        display="flex"
        gap="3"
        h="full"
        px="4"
        py="2"
        bg={selected ? 'brand.subtle' : 'transparent'}
        outline="none"
        _hover={{ bg: selected ? 'brand.subtle' : 'bg.hover' }}
        _focusVisible={{ boxShadow: 'inset 0 0 0 2px {colors.brand.fg}' }}
      >
        <chakra.span alignSelf="center">
          <Avatar name={name} src={ticket.contact.profilePicUrl} group={ticket.isGroup} />
        </chakra.span>
        <chakra.span display="flex" flexDirection="column" flex="1" minW="0">
          <chakra.span
            display="flex"
            flexDirection="column"
            {...(action && {
              css: {
                [HOVER]: {
                  [HOVERED]: {
                    paddingInlineEnd: `${ROOM[action] - ROW_END_PX}px`,
                    '& [data-aside]': { display: 'none' },
                  },
                },
              },
            })}
          >
            <chakra.span display="flex" alignItems="center" gap="2" h="5">
              <chakra.span
                flex="1"
                minW="0"
                textStyle="md"
                fontWeight={unread ? 'semibold' : 'medium'}
                overflow="hidden"
                textOverflow="ellipsis"
                whiteSpace="nowrap"
                title={name}
              >
                {search ? <Highlight text={shortName(name)} term={search} /> : shortName(name)}
              </chakra.span>
              {/* Only the results of a search are in several states. */}
              {search !== undefined && (
                <Badge data-aside tone={STATUS_TONES[ticket.status]}>
                  {t(`row.status.${ticket.status}`)}
                </Badge>
              )}
              {ticket.status === 'pending' ? (
                <Waited since={ticket.queuedAt} />
              ) : (
                <chakra.time
                  data-aside
                  dateTime={ticket.updatedAt}
                  textStyle="xs"
                  fontVariantNumeric="tabular-nums"
                  color={unread ? 'brand.fg' : 'fg.muted'}
                  fontWeight={unread ? 'semibold' : 'normal'}
                >
                  {formatLastMessageTime(ticket.updatedAt)}
                </chakra.time>
              )}
            </chakra.span>
            <chakra.span display="flex" alignItems="center" gap="2" h="4.5">
              <SecondLine ticket={ticket} search={search} selected={selected} />
              {unread && (
                <chakra.span data-aside display="flex" gap="1">
                  {handedOver && <HandedOverMark label={t('row.handedOver')} />}
                  {ticket.unreadMessages > 0 && (
                    <CountBadge
                      count={ticket.unreadMessages}
                      tone="brand"
                      label={t('row.unread', { count: ticket.unreadMessages })}
                    />
                  )}
                </chakra.span>
              )}
            </chakra.span>
          </chakra.span>
          <chakra.span
            display="flex"
            alignItems="center"
            gap="2"
            h="4.5"
            textStyle="xs"
            color="fg.muted"
          >
            <chakra.span display="flex" gap="2" flex="1" minW="0" overflow="hidden">
              <Tags ticket={ticket} />
            </chakra.span>
            <chakra.span
              maxW="45%"
              overflow="hidden"
              textOverflow="ellipsis"
              whiteSpace="nowrap"
              pe={onSpy ? '6' : '0'}
            >
              {ticket.whatsapp?.name ?? t('row.noConnection')}
            </chakra.span>
          </chakra.span>
        </chakra.span>
        <chakra.span srOnly>{t('row.queue', { name: queueName })}</chakra.span>
      </RowLink>
      {onSpy && (
        <chakra.span position="absolute" insetEnd="2" bottom="0.5">
          <IconButton
            label={t('row.spy')}
            size="sm"
            h="7"
            // On the line of the connection, also in the higher rows of touch screens.
            css={{ [touch]: { alignItems: 'flex-end', pb: '1.5' } }}
            tabIndex={tabIndex}
            icon={<Eye size={16} strokeWidth={1.75} />}
            onClick={() => onSpy(ticket)}
          />
        </chakra.span>
      )}
      {action && (
        <RowAction ticket={ticket} tabIndex={tabIndex} action={action} onAction={onAction} />
      )}
      <chakra.span
        aria-hidden
        position="absolute"
        bottom="0"
        insetStart="68px"
        insetEnd="0"
        borderBottomWidth="1px"
      />
    </chakra.div>
  );
});
