import { chakra } from '@chakra-ui/react';
import {
  ArrowLeftRight,
  CheckCheck,
  RotateCcw,
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
};

/** What happened to the ticket, small among the messages. */
export function EventLine({ event }: { event: TicketEvent }) {
  const { t } = useTranslation('messages');
  const Icon = EVENT_ICONS[event.kind];
  const target = [event.queueName, event.userName].filter(Boolean).join(' · ');
  const who = event.actorName ? '' : 'Auto';
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
          i18nKey={`events.${event.kind}${who}`}
          values={{ actor: event.actorName, target: target || t('events.noQueue') }}
          components={{ b: <chakra.strong fontWeight="semibold" color="fg.default" /> }}
        />
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {' · '}
          {formatTime(event.createdAt)}
        </chakra.span>
      </chakra.span>
    </chakra.div>
  );
}
