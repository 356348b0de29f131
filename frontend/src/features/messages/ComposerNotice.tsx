import { chakra } from '@chakra-ui/react';
import { Clock, Lock, Unplug, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import type { Ticket } from '@/features/tickets/api';
import { formatCount } from '@/lib/format';
import type { ComposerMode } from './rules';

const Box = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    px: '4',
    py: '3',
    bg: 'bg.surface',
    borderWidth: '1px',
    borderColor: 'border.strong',
    borderRadius: 'lg',
    textStyle: 'sm',
    color: 'fg.muted',
  },
});

function Sentence({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  return (
    <chakra.span display="flex" alignItems="center" gap="2.5" flex="1 1 240px" minW="0">
      <chakra.span flexShrink="0" display="flex">
        <Icon size={20} aria-hidden />
      </chakra.span>
      <span>{children}</span>
    </chakra.span>
  );
}

interface ComposerNoticeProps {
  kind: Exclude<ComposerMode['kind'], 'write'>;
  ticket: Ticket;
  busy: boolean;
  onAction: (action: 'accept' | 'reopen') => void;
}

/** What stands in the input's place while nothing may be written, and what to do about it. */
export function ComposerNotice({ kind, ticket, busy, onAction }: ComposerNoticeProps) {
  const { t } = useTranslation('messages');
  switch (kind) {
    case 'accept':
      return (
        <Box>
          <Sentence Icon={Lock}>{t('notice.accept')}</Sentence>
          <Button size="sm" loading={busy} onClick={() => onAction('accept')}>
            {t('actions.accept')}
          </Button>
        </Box>
      );
    case 'reopen':
      return (
        <Box>
          <Sentence Icon={Lock}>{t('notice.reopen')}</Sentence>
          <Button size="sm" loading={busy} onClick={() => onAction('reopen')}>
            {t('actions.reopen')}
          </Button>
        </Box>
      );
    case 'windowClosed':
      return (
        <Box role="status">
          <Sentence Icon={Clock}>{t('notice.windowClosed')}</Sentence>
        </Box>
      );
    case 'readOnly':
      return (
        <Box>
          <Sentence Icon={Lock}>
            {ticket.status === 'open' && ticket.user
              ? t('notice.heldBy', { name: ticket.user.name })
              : t('notice.readOnly')}
          </Sentence>
        </Box>
      );
  }
}

interface HintsProps {
  minutesLeft: number | null;
  /** The connection's name while it is not connected. */
  disconnected: string | null;
}

/** Small words above the input: the window's end, a connection that waits. */
export function Hints({ minutesLeft, disconnected }: HintsProps) {
  const { t } = useTranslation('messages');
  if (minutesLeft === null && disconnected === null) return null;
  const hours = Math.floor((minutesLeft ?? 0) / 60);
  const time =
    hours > 0
      ? t('notice.hours', { hours, minutes: (minutesLeft ?? 0) % 60 })
      : t('notice.minutes', { minutes: formatCount(minutesLeft ?? 0) });
  return (
    <chakra.div
      role="status"
      display="flex"
      flexWrap="wrap"
      columnGap="4"
      px="4"
      pb="1.5"
      textStyle="xs"
      color="status.waiting.fg"
    >
      {disconnected !== null && (
        <chakra.span display="inline-flex" alignItems="center" gap="1.5">
          <Unplug size={14} aria-hidden />
          {t('notice.disconnected', { name: disconnected })}
        </chakra.span>
      )}
      {minutesLeft !== null && (
        <chakra.span display="inline-flex" alignItems="center" gap="1.5">
          <Clock size={14} aria-hidden />
          {t('notice.windowLeft', { time })}
        </chakra.span>
      )}
    </chakra.div>
  );
}
