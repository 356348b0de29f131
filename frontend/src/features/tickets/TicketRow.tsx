import { Bot, CheckCheck, Eye } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { Badge, CountBadge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { StillLink } from '@/components/StillLink';
import { formatLastMessageTime, formatPhone } from '@/lib/format';
import { findFolded, foldText } from '@/lib/search';
import { useCurrentUser } from '@/stores/session';
import { useUnsent } from '@/stores/unsent';
import { touch } from '@/theme/screens';
import { autoResponderOf, type TicketAction } from './api';
import { Highlight } from '@/components/Highlight';
import { DeadlineMark } from './DeadlineMark';
import { HandedOverMark } from './HandedOverMark';
import { DraftLine, FoundMessage, FoundNumber, LastMessage, UnsentLine } from './LastMessage';
import type { Ticket } from './types';
import { PriorityMark } from './PriorityMark';
import { row } from './rowStyles';
import { SnoozedUntil } from './SnoozedUntil';
import { isHandedOver, isUnread } from './unopened';
import { Waited } from './Waited';

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
        <span className={row.responder}>
          <Bot size={14} strokeWidth={1.75} aria-hidden />
          {t(`row.leading.${responder}`)}
        </span>
      )}
      {shown.map((tag) => (
        <span key={tag.id} className={row.tag}>
          <span aria-hidden className={row.tagColour} style={{ backgroundColor: tag.color }} />
          <span className={row.cut}>{tag.name}</span>
        </span>
      ))}
      {rest > 0 && <span className={row.rest}>+{rest}</span>}
    </>
  );
}

const STATUS_TONES = { open: 'live', pending: 'waiting', closed: 'neutral' } as const;

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
    <span className={row.action}>
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
    </span>
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
    <div
      className={`group ${row.row}`}
      data-ticket={ticket.id}
      data-unread={unread || undefined}
      data-action={action ?? undefined}
      data-spy={onSpy ? true : undefined}
    >
      <span
        title={queueName}
        className={row.queue}
        {...(ticket.queue && { style: { backgroundColor: ticket.queue.color } })}
      />
      <StillLink
        to={to}
        // Opening the ticket that is already open means to go on writing.
        state={{ writes: true }}
        tabIndex={tabIndex}
        aria-current={selected ? 'true' : undefined}
        className={row.link}
      >
        <span className={row.avatar}>
          <Avatar name={name} src={ticket.contact.profilePicUrl} group={ticket.isGroup} />
        </span>
        <span className={row.body}>
          <span className={action ? `${row.lines} ${row[action]}` : row.lines}>
            <span className={row.first}>
              <PriorityMark priority={ticket.priority} />
              <span className={row.name} title={name}>
                {search ? <Highlight text={shortName(name)} term={search} /> : shortName(name)}
              </span>
              {/* Only the results of a search are in several states. */}
              {search !== undefined && (
                <Badge data-aside tone={STATUS_TONES[ticket.status]}>
                  {t(`row.status.${ticket.status}`)}
                </Badge>
              )}
              <DeadlineMark dueAt={ticket.slaDueAt} warnsAt={ticket.slaWarnsAt} />
              {ticket.snoozedAt ? (
                <SnoozedUntil until={ticket.snoozedUntil} />
              ) : ticket.status === 'pending' ? (
                <Waited since={ticket.queuedAt} />
              ) : (
                <time data-aside dateTime={ticket.updatedAt} className={row.time}>
                  {formatLastMessageTime(ticket.updatedAt)}
                </time>
              )}
            </span>
            <span className={row.second}>
              <SecondLine ticket={ticket} search={search} selected={selected} />
              {unread && (
                <span data-aside className={row.marks}>
                  {handedOver && (
                    <HandedOverMark woken={ticket.woken} label={t('row.handedOver')} />
                  )}
                  {ticket.unreadMessages > 0 && (
                    <CountBadge
                      count={ticket.unreadMessages}
                      tone="brand"
                      label={t('row.unread', { count: ticket.unreadMessages })}
                    />
                  )}
                </span>
              )}
            </span>
          </span>
          <span className={row.third}>
            <span className={row.tags}>
              <Tags ticket={ticket} />
            </span>
            <span className={row.connection}>{ticket.whatsapp?.name ?? t('row.noConnection')}</span>
          </span>
        </span>
        <span className={row.srOnly}>{t('row.queue', { name: queueName })}</span>
      </StillLink>
      {onSpy && (
        <span className={row.spy}>
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
        </span>
      )}
      {action && (
        <RowAction ticket={ticket} tabIndex={tabIndex} action={action} onAction={onAction} />
      )}
      <span aria-hidden className={row.end} />
    </div>
  );
});
