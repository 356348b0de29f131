import { chakra } from '@chakra-ui/react';
import {
  ArrowLeft,
  ArrowLeftRight,
  CheckCheck,
  PanelRight,
  RotateCcw,
  Search,
  Smartphone,
  Undo2,
  UserRoundCheck,
} from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { CountBadge } from '@/components/Badge';
import { Button, type ButtonProps } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { PersonPresence } from '@/features/desk/api';
import { autoResponderOf, isUnread, type Ticket, type TicketAction } from '@/features/tickets/api';
import { useToastsBelow } from '@/lib/toastPlace';
import { useBadges } from '@/stores/badges';
import { useCurrentUser } from '@/stores/session';
import { useUi } from '@/stores/ui';
import { short, touch } from '@/theme/screens';
import { AlsoViewing } from './AlsoViewing';
import { HeaderLabels } from './HeaderLabels';
import { HeaderMenu, type HeaderTools } from './HeaderMenu';
import { mayResolve, mayServe, maySnooze, mayTransfer, mayWrite } from './rules';
import { useHeaderLayout, type HeaderLayout } from './useHeaderLayout';
import { WindowChip } from './WindowChip';

export type { HeaderTools };

interface ConversationHeaderProps {
  ticket: Ticket;
  /** The action in progress. */
  busy: TicketAction | null;
  /** Omitted in a preview. */
  onAction?: ((action: TicketAction) => void) | undefined;
  onBack?: (() => void) | undefined;
  onOpenContact?: (() => void) | undefined;
  /** Opens the search inside the conversation. */
  onSearch?: (() => void) | undefined;
  /** When the 24-hour window of an official number ends, in ms; null if there is none. */
  closesAt?: number | null;
  tools?: HeaderTools | undefined;
}

interface ActionProps {
  label: string;
  icon: ReactNode;
  variant: ButtonProps['variant'];
  loading: boolean;
  onClick: (event: MouseEvent) => void;
  layout: HeaderLayout;
  large: boolean;
}

/** With its label if there is room, else as an icon button. */
function Action({ label, layout, large, ...props }: ActionProps) {
  return layout === 'words' ? (
    <Button size="sm" {...props}>
      {label}
    </Button>
  ) : (
    <IconButton size={large ? 'lg' : 'md'} label={label} {...props} />
  );
}

/** The header: the contact, the ticket and its holder; the actions; queue and tags. */
export function ConversationHeader(props: ConversationHeaderProps) {
  const { ticket, busy, onAction, onBack, onOpenContact, onSearch, tools = {} } = props;
  const { closesAt = null } = props;
  const { t } = useTranslation(['messages', 'common']);
  const user = useCurrentUser();
  const { ref, layout } = useHeaderLayout<HTMLElement>();
  useToastsBelow(ref);
  const { contact, whatsapp } = ticket;
  const { tagSelector, contact: drawer, onTransfer, onSnooze, ...others } = tools;
  // The top bar with the page's name is hidden.
  const isWholePage = useUi((ui) => ui.narrowFocus);
  const holder = ticket.user?.name;
  const responder = autoResponderOf(ticket);
  const unread = useBadges((badges) => badges.unread);
  const elsewhere = unread - (isUnread(ticket, user.id) ? 1 : 0);
  const canLead = Boolean(onAction) && mayWrite(ticket, user);
  const takes = Boolean(onAction) && layout !== 'menu' && mayServe(ticket, user);
  const passOn = onAction && mayTransfer(ticket, user) ? onTransfer : undefined;
  // Larger buttons for fingers on a narrow screen.
  const large = onBack !== undefined;
  const action = (name: TicketAction) => ({
    label: t(`actions.${name}`),
    loading: busy === name,
    onClick: (event: MouseEvent) => {
      // The second press of a double click was meant for the button that was here before.
      if (event.detail < 2) onAction?.(name);
    },
    layout,
    large,
  });
  return (
    <chakra.header ref={ref} bg="bg.surface" borderBottomWidth="1px" flexShrink="0">
      <chakra.div
        display="flex"
        alignItems="center"
        gap={large ? '2' : '3'}
        h="60px"
        css={{ [short]: { h: '12' } }}
        ps={large ? '1' : '5'}
        pe={large ? '1' : layout === 'menu' ? '2' : '4'}
      >
        {onBack && (
          <IconButton
            size="lg"
            label={
              elsewhere > 0 ? t('backToUnread', { count: elsewhere }) : t('common:actions.back')
            }
            icon={<ArrowLeft size={20} />}
            mark={
              elsewhere > 0 && (
                <chakra.span position="absolute" top="-1" insetStart="6">
                  <CountBadge count={elsewhere} tone="brand" />
                </chakra.span>
              )
            }
            onClick={onBack}
          />
        )}
        <Avatar
          name={contact.name}
          src={contact.profilePicUrl}
          size={large ? 36 : 40}
          group={ticket.isGroup}
        />
        <chakra.div flex="1" minW="0" position="relative">
          <chakra.h2
            as={isWholePage ? 'h1' : 'h2'}
            textStyle="lg"
            lineHeight="20px"
            fontWeight="semibold"
            display="flex"
          >
            {onOpenContact ? (
              <chakra.button
                type="button"
                onClick={onOpenContact}
                aria-label={t('openContact', { name: contact.name })}
                // On a touch screen either line opens it.
                css={{
                  [touch]: {
                    minH: '0',
                    _after: { content: '""', position: 'absolute', inset: '-6px 0 -1px' },
                  },
                }}
                truncate
                cursor="pointer"
                borderRadius="xs"
                _hover={{ textDecoration: 'underline', textUnderlineOffset: '3px' }}
                _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
              >
                {contact.name}
              </chakra.button>
            ) : (
              <chakra.span truncate>{contact.name}</chakra.span>
            )}
          </chakra.h2>
          <chakra.p textStyle="sm" lineHeight="18px" color="fg.muted" truncate>
            <chakra.span fontVariantNumeric="tabular-nums">#{ticket.id}</chakra.span>
            {' · '}
            {holder ? (
              <>
                {layout === 'words' && <>{t('assignedTo')} </>}
                {holder} <PersonPresence userId={ticket.userId} />
              </>
            ) : (
              t(responder ? `leading.${responder}` : 'unassigned')
            )}
          </chakra.p>
        </chakra.div>
        <chakra.div display="flex" alignItems="center" gap={large ? '1' : '2'} flexShrink="0">
          {/* The accept button is placed so that a second press cannot resolve the ticket; with
              little room it stands alone below. */}
          {takes && ticket.status === 'pending' && (
            <Action {...action('accept')} icon={<UserRoundCheck size={16} />} variant="solid" />
          )}
          {canLead && (
            <>
              {mayResolve(ticket, user) && (
                <Action {...action('resolve')} icon={<CheckCheck size={16} />} variant="solid" />
              )}
              {layout !== 'menu' && (
                <Action {...action('return')} icon={<Undo2 size={16} />} variant="outline" />
              )}
            </>
          )}
          {takes && ticket.status === 'closed' && (
            <Action {...action('reopen')} icon={<RotateCcw size={16} />} variant="outline" />
          )}
          <chakra.div display="flex" alignItems="center">
            {passOn && layout !== 'menu' && (
              <IconButton
                label={t('options.transfer')}
                icon={<ArrowLeftRight size={20} />}
                onClick={passOn}
              />
            )}
            {onSearch && layout !== 'menu' && (
              <IconButton
                label={t('options.search')}
                icon={<Search size={20} />}
                onClick={onSearch}
              />
            )}
            {onAction && (
              <HeaderMenu
                ticket={ticket}
                mayAct={mayServe(ticket, user) || mayWrite(ticket, user)}
                size={large ? 'lg' : 'md'}
                {...others}
                {...(passOn && { onTransfer: passOn })}
                {...(onSnooze && maySnooze(ticket, user) && { onSnooze })}
                {...(layout === 'menu' && {
                  onReturn: canLead ? () => onAction('return') : undefined,
                  onSearch,
                  ...(drawer && { contact: drawer }),
                })}
              />
            )}
            {drawer && layout !== 'menu' && (
              <IconButton
                label={t(drawer.isOpen ? 'options.closeContact' : 'options.contact')}
                icon={<PanelRight size={20} />}
                aria-pressed={drawer.isOpen}
                {...(drawer.isOpen && { bg: 'brand.subtle', color: 'brand.fg' })}
                onClick={drawer.onToggle}
              />
            )}
          </chakra.div>
        </chakra.div>
      </chakra.div>
      <chakra.div
        display="flex"
        alignItems="center"
        gap="1.5"
        h="9"
        pb="2"
        px={{ base: '4', sm: '5' }}
      >
        <HeaderLabels ticket={ticket} />
        {tagSelector}
        {closesAt !== null && <WindowChip closesAt={closesAt} />}
        <AlsoViewing compact={layout === 'menu'} />
        {whatsapp && layout !== 'menu' && (
          <chakra.span
            display="inline-flex"
            alignItems="center"
            gap="1.5"
            flexShrink="0"
            maxW="40%"
            ms="auto"
            ps="2"
            textStyle="sm"
            color="fg.muted"
          >
            <Smartphone size={16} aria-hidden />
            <chakra.span truncate>{whatsapp.name}</chakra.span>
          </chakra.span>
        )}
      </chakra.div>
    </chakra.header>
  );
}
