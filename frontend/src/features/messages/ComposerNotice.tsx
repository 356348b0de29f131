import { chakra } from '@chakra-ui/react';
import { Bot, Clock, LayoutTemplate, Lock, Unplug, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { autoResponderOf, type Ticket } from '@/features/tickets/api';
import { FollowButton } from './FollowButton';
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
  mode: Exclude<ComposerMode, { kind: 'write' }>;
  ticket: Ticket;
  busy: boolean;
  onAction: (action: 'accept' | 'reopen') => void;
  /** Opens the template dialog. */
  onTemplates: () => void;
  /** A typed draft is kept until the window opens again. */
  hasDraft: boolean;
  /** The field for a utility text, where the account may send it. */
  utility: ReactNode;
}

/** The notice in place of the input while nothing may be written, and the next step. */
export function ComposerNotice(props: ComposerNoticeProps) {
  const { mode, ticket, busy, onAction, onTemplates, hasDraft, utility } = props;
  const { t } = useTranslation('messages');
  const responder = autoResponderOf(ticket);
  switch (mode.kind) {
    case 'accept':
      return (
        <Box>
          <Sentence Icon={responder ? Bot : Lock}>
            {responder ? t(`notice.acceptFrom.${responder}`) : t('notice.accept')}
          </Sentence>
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
    case 'windowClosed': {
      // A template has been sent: the contact has to answer first.
      const isWaiting = ticket.lastMessageMediaType === 'template' && ticket.lastMessageFromMe;
      const way = utility ? 'utility' : 'window';
      const reason = mode.never ? `${way}.never` : `${way}.closed`;
      return (
        <Box>
          <chakra.span role="status" display="contents">
            <Sentence Icon={Clock}>
              {t(isWaiting ? 'window.waiting' : reason)}
              {hasDraft && !utility && ` ${t('window.draftKept')}`}
            </Sentence>
          </chakra.span>
          {utility}
          <chakra.div display="flex" flexWrap="wrap" gap="2">
            <Button
              size="sm"
              variant={isWaiting || utility ? 'outline' : 'solid'}
              icon={<LayoutTemplate size={16} />}
              onClick={onTemplates}
            >
              {t('window.send')}
            </Button>
            <FollowButton ticketId={ticket.id} />
          </chakra.div>
        </Box>
      );
    }
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
  /** The connection's name while it is not connected. */
  disconnected: string | null;
}

/** A hint above the input: the connection is not connected. */
export function Hints({ disconnected }: HintsProps) {
  const { t } = useTranslation('messages');
  if (disconnected === null) return null;
  return (
    <chakra.div display="flex" px="4" pb="1.5" textStyle="xs">
      <chakra.span
        role="status"
        display="inline-flex"
        alignItems="center"
        gap="1.5"
        color="status.waiting.fg"
      >
        <Unplug size={14} aria-hidden />
        {t('notice.disconnected', { name: disconnected })}
      </chakra.span>
    </chakra.div>
  );
}
