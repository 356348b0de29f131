import { chakra } from '@chakra-ui/react';
import {
  ArrowLeftRight,
  Bot,
  CheckCheck,
  Clock,
  CornerDownRight,
  RotateCcw,
  Star,
  Undo2,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { formatDate, formatTime, isSameDay } from '@/lib/format';
import type { TicketEvent } from './api';

/** 'Hoje', 'Ontem', else the date. */
export function useDayLabel() {
  const { t } = useTranslation('messages');
  return (day: string) => {
    const yesterday = new Date();
    yesterday.setDate(yesterday.getDate() - 1);
    if (isSameDay(day, new Date())) return t('today');
    return isSameDay(day, yesterday) ? t('yesterday') : formatDate(day);
  };
}

export function DayPill({ day, floating = false }: { day: string; floating?: boolean }) {
  const label = useDayLabel()(day);
  return (
    <chakra.span
      px="3"
      py="1"
      borderRadius="md"
      bg="bg.raised"
      textStyle="xs"
      fontWeight="medium"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
      borderWidth="1px"
      {...(floating && { boxShadow: 'popover', borderColor: 'transparent' })}
    >
      {label}
    </chakra.span>
  );
}

/** A line across the conversation with words in its middle. */
export function Divider({ children, strong = false }: { children: ReactNode; strong?: boolean }) {
  return (
    <chakra.div
      role="separator"
      display="flex"
      alignItems="center"
      gap="3"
      py="3"
      textStyle="xs"
      fontWeight={strong ? 'semibold' : 'medium'}
      color={strong ? 'brand.fg' : 'fg.muted'}
      textAlign="center"
      css={{
        '&::before, &::after': {
          content: '""',
          flex: '1',
          minWidth: '16px',
          borderTopWidth: '1px',
          borderColor: strong ? 'brand.border' : 'border.strong',
        },
      }}
    >
      <span>{children}</span>
    </chakra.div>
  );
}

const EVENT_ICONS: Record<TicketEvent['kind'], LucideIcon> = {
  accepted: UserRoundCheck,
  returned: Undo2,
  resolved: CheckCheck,
  reopened: RotateCcw,
  transferred: ArrowLeftRight,
  queued: CornerDownRight,
  bot_ended: Bot,
  rated: Star,
  expired: Clock,
};

const BEST_RATE = 3;

/** Which sentence tells of an event: what the bot did says how, what people did says who. */
export function sentenceOf({ kind, actorName, by, reason, rate }: TicketEvent): string {
  if (kind === 'queued') return `events.queuedBy.${KNOWN_WAYS.has(by ?? '') ? by : 'other'}`;
  if (kind === 'bot_ended')
    return `events.botEnded.${KNOWN_REASONS.has(reason ?? '') ? reason : 'other'}`;
  if (kind === 'rated') return `events.rates.${rate}`;
  return `events.${kind}${actorName ? '' : 'Auto'}`;
}

const KNOWN_WAYS = new Set(['menu', 'option', 'keyword', 'timer', 'integration', 'prompt']);
const KNOWN_REASONS = new Set(['leaf', 'limit', 'handed_over', 'failed', 'finished', 'phone']);

/** What happened to the ticket, small among the messages. */
export function EventLine({ event }: { event: TicketEvent }) {
  const { t } = useTranslation('messages');
  const Icon = EVENT_ICONS[event.kind];
  const target = [event.queueName, event.userName].filter(Boolean).join(' · ');
  return (
    <chakra.div
      display="flex"
      justifyContent="center"
      alignItems="center"
      gap="2"
      py="2"
      textStyle="xs"
      color="fg.muted"
    >
      <chakra.span flexShrink="0" display="flex">
        <Icon size={16} aria-hidden />
      </chakra.span>
      <chakra.span overflowWrap="anywhere">
        <Trans
          t={t}
          i18nKey={sentenceOf(event)}
          values={{ actor: event.actorName, target: target || t('events.noQueue') }}
          components={{ b: <chakra.strong fontWeight="semibold" color="fg.default" /> }}
        />
        {event.error && `: ${event.error.replace(/\.$/, '')}`}
        {event.kind === 'rated' && event.rate !== null && <Stars rate={event.rate} />}
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {' · '}
          {formatTime(event.createdAt)}
        </chakra.span>
      </chakra.span>
    </chakra.div>
  );
}

/** How many of three; the words beside them say the same. */
function Stars({ rate }: { rate: number }) {
  return (
    <chakra.span
      aria-hidden
      display="inline-flex"
      gap="0.5"
      ms="1.5"
      verticalAlign="-2px"
      color="status.waiting.fg"
    >
      {Array.from({ length: BEST_RATE }, (_, place) => (
        <Star key={place} size={14} {...(place < rate && { fill: 'currentColor' })} />
      ))}
    </chakra.span>
  );
}
