import { chakra } from '@chakra-ui/react';
import { ArrowLeft, Check, RotateCcw, Smartphone, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { Chip } from '@/components/Badge';
import { Button, type ButtonProps } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import type { Ticket, TicketAction } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';
import { mayServe, mayWrite } from './rules';

interface ConversationHeaderProps {
  ticket: Ticket;
  /** The action under way. */
  busy: TicketAction | null;
  /** Left out where the ticket is only looked at. */
  onAction?: ((action: TicketAction) => void) | undefined;
  onBack?: (() => void) | undefined;
  onOpenContact?: (() => void) | undefined;
}

interface ActionProps {
  label: string;
  icon: ReactNode;
  variant: ButtonProps['variant'];
  loading: boolean;
  onClick: () => void;
}

/** With its word on wide panes, as a square on narrow ones. */
function Action({ label, icon, ...props }: ActionProps) {
  return (
    <>
      <chakra.span display={{ base: 'none', sm: 'contents' }}>
        <Button size="sm" icon={icon} {...props}>
          {label}
        </Button>
      </chakra.span>
      <chakra.span display={{ base: 'contents', sm: 'none' }}>
        <IconButton size="lg" label={label} icon={icon} {...props} />
      </chakra.span>
    </>
  );
}

/** Who, which ticket, whose; what can be done with it; where it belongs. */
export function ConversationHeader(props: ConversationHeaderProps) {
  const { ticket, busy, onAction, onBack, onOpenContact } = props;
  const { t } = useTranslation(['messages', 'common']);
  const user = useCurrentUser();
  const { contact, queue, tags, whatsapp } = ticket;
  const holder = ticket.user?.name;
  const action = (name: TicketAction) => ({
    label: t(`actions.${name}`),
    loading: busy === name,
    onClick: () => onAction?.(name),
  });
  return (
    <chakra.header bg="bg.surface" borderBottomWidth="1px" flexShrink="0">
      <chakra.div
        display="flex"
        alignItems="center"
        gap="3"
        h="60px"
        ps={onBack ? '2' : '5'}
        pe={{ base: '3', sm: '5' }}
      >
        {onBack && (
          <IconButton
            size="lg"
            label={t('common:actions.back')}
            icon={<ArrowLeft size={20} />}
            onClick={onBack}
          />
        )}
        <Avatar name={contact.name} src={contact.profilePicUrl} group={ticket.isGroup} />
        <chakra.div flex="1" minW="0">
          <chakra.h2 textStyle="lg" lineHeight="20px" fontWeight="semibold" display="flex">
            {onOpenContact ? (
              <chakra.button
                type="button"
                onClick={onOpenContact}
                aria-label={t('openContact', { name: contact.name })}
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
                <chakra.span display={{ base: 'none', sm: 'inline' }}>
                  {t('assignedTo')}{' '}
                </chakra.span>
                {holder}
              </>
            ) : (
              t('unassigned')
            )}
          </chakra.p>
        </chakra.div>
        {onAction && ticket.status === 'pending' && mayServe(ticket, user) && (
          <Action {...action('accept')} icon={<Check size={16} />} variant="solid" />
        )}
        {onAction && mayWrite(ticket, user) && (
          <>
            <Action {...action('return')} icon={<Undo2 size={16} />} variant="outline" />
            <Action {...action('resolve')} icon={<Check size={16} />} variant="solid" />
          </>
        )}
        {onAction && ticket.status === 'closed' && mayServe(ticket, user) && (
          <Action {...action('reopen')} icon={<RotateCcw size={16} />} variant="outline" />
        )}
      </chakra.div>
      <chakra.div
        display="flex"
        alignItems="center"
        gap="1.5"
        h="9"
        pb="2"
        px={{ base: '4', sm: '5' }}
      >
        <chakra.div
          display="flex"
          gap="1.5"
          flex="1"
          minW="0"
          overflowX="auto"
          css={{ scrollbarWidth: 'none', '& > *': { flexShrink: 0 } }}
          // Many tags are reached with the keyboard too.
          tabIndex={tags.length > 2 ? 0 : undefined}
          role="group"
          aria-label={t('labels')}
        >
          {queue ? (
            <Chip colour={queue.color} shape="queue">
              {queue.name}
            </Chip>
          ) : (
            <Chip colour="currentColor" shape="queue">
              {t('events.noQueue')}
            </Chip>
          )}
          {tags.map((tag) => (
            <Chip key={tag.id} colour={tag.color} shape="tag">
              {tag.name}
            </Chip>
          ))}
        </chakra.div>
        {whatsapp && (
          <chakra.span
            display={{ base: 'none', sm: 'inline-flex' }}
            alignItems="center"
            gap="1.5"
            flexShrink="0"
            maxW="40%"
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
