import { chakra, useMediaQuery } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { EmptyState, ErrorState } from '@/components/States';
import type { Contact } from '@/features/contacts/api';
import { Conversation } from '@/features/messages/Conversation';
import {
  ticketQuery,
  useTicketAction,
  type Ticket,
  type TicketAction,
} from '@/features/tickets/api';
import { useTicketEvents } from '@/features/tickets/events';
import { NarrowTabs, type NarrowTab } from '@/features/tickets/NarrowTabs';
import { TicketPanel } from '@/features/tickets/TicketPanel';
import { formatView, useListView } from '@/features/tickets/view';
import { Welcome } from '@/features/tickets/Welcome';
import { ApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { useNarrowFocus } from '@/stores/ui';
import { paths } from './paths';

// Forms weigh, and the first page has none: they load when asked for.
const ContactDialog = lazy(() =>
  import('@/features/contacts/ContactDialog').then((file) => ({ default: file.ContactDialog })),
);
const NewTicketDialog = lazy(() =>
  import('@/features/tickets/NewTicketDialog').then((file) => ({ default: file.NewTicketDialog })),
);

/** From this width on list and conversation stand side by side. */
const WIDE = '(min-width: 900px)';

type Open =
  | { dialog: 'newTicket'; contact?: Contact }
  | { dialog: 'newContact'; name: string }
  | { dialog: 'contact'; contactId: number }
  | { dialog: 'spy'; ticket: Ticket };

/** The inbox: lists on the left, the chosen conversation on the right. */
export function Component() {
  const { t } = useTranslation('tickets');
  const { uuid } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [isWide] = useMediaQuery([WIDE], { ssr: false });
  const [view, changeView] = useListView();
  const [open, setOpen] = useState<Open | null>(null);
  const [narrow, setNarrow] = useState<{ tab: NarrowTab; uuid: string | undefined }>({
    tab: uuid ? 'ticket' : 'list',
    uuid,
  });
  // Choosing a ticket shows it; the bottom tabs then switch freely.
  const narrowTab = narrow.uuid === uuid ? narrow.tab : uuid ? 'ticket' : 'list';
  const ticket = useQuery({ ...ticketQuery(uuid ?? ''), enabled: uuid !== undefined });
  const act = useTicketAction();
  const showsConversation = isWide || narrowTab === 'ticket';
  useNarrowFocus(!isWide && showsConversation && uuid !== undefined);

  const leave = useCallback(
    () => void navigate({ pathname: paths.tickets, search }, { replace: true }),
    [navigate, search],
  );
  const openTicketId = ticket.data?.id;
  useTicketEvents((deletedId) => {
    if (deletedId !== openTicketId) return;
    toast.info(t('deleted'));
    leave();
  });

  const { error } = ticket;
  const isRefused = error instanceof ApiError && [403, 404].includes(error.status);
  useEffect(() => {
    if (!isRefused || !uuid) return;
    toast.errorText(t('forbidden'));
    leave();
  }, [isRefused, uuid, leave, t]);

  const goTo = (next: Ticket) => {
    const status = next.status === 'closed' ? { tab: 'closed' } : { subTab: next.status };
    const params = formatView({ ...view, search: '', tab: 'open', ...status } as typeof view);
    void navigate({ pathname: paths.ticket(next.uuid), search: params.toString() });
  };

  /** An accepted conversation is the next thing to look at; one that left is not. */
  function follow(changed: Ticket, action: TicketAction) {
    if (action === 'accept' || action === 'reopen') goTo(changed);
    else if (changed.uuid === uuid) leave();
  }

  const panel = (
    <TicketPanel
      view={view}
      onView={changeView}
      selected={uuid}
      onNewTicket={() => setOpen({ dialog: 'newTicket' })}
      onAction={(target, action) =>
        act.mutate({ ticket: target, action }, { onSuccess: (changed) => follow(changed, action) })
      }
      onSpy={(target) => setOpen({ dialog: 'spy', ticket: target })}
    />
  );

  const conversation = !uuid ? (
    isWide ? (
      <Welcome />
    ) : (
      <EmptyState
        title={t('welcome.text')}
        action={
          <Button onClick={() => setNarrow({ tab: 'list', uuid })}>{t('narrow.select')}</Button>
        }
      />
    )
  ) : ticket.isError && !isRefused ? (
    <ErrorState title={t('loadFailed')} error={error} onRetry={() => void ticket.refetch()} />
  ) : (
    ticket.data && (
      <Conversation
        ticket={ticket.data}
        onActed={follow}
        onOpenContact={() => setOpen({ dialog: 'contact', contactId: ticket.data.contactId })}
        {...(!isWide && { onBack: () => setNarrow({ tab: 'list', uuid }) })}
      />
    )
  );

  return (
    <>
      <chakra.div flex="1" minH="0" display="flex">
        {(isWide || narrowTab === 'list') && (
          <chakra.div
            display="flex"
            flexShrink="0"
            w={isWide ? '368px' : 'full'}
            minW="0"
            borderEndWidth={isWide ? '1px' : '0'}
          >
            {panel}
          </chakra.div>
        )}
        {showsConversation && (
          <chakra.div display="flex" flexDirection="column" flex="1" minW="0">
            {conversation}
          </chakra.div>
        )}
      </chakra.div>
      {!isWide && <NarrowTabs value={narrowTab} onChange={(tab) => setNarrow({ tab, uuid })} />}
      <Suspense>
        {open?.dialog === 'newTicket' && (
          <NewTicketDialog
            contact={open.contact ?? null}
            onClose={() => setOpen(null)}
            onTicket={(created) => {
              setOpen(null);
              goTo(created);
            }}
            onCreateContact={(name) => setOpen({ dialog: 'newContact', name })}
          />
        )}
        {open?.dialog === 'newContact' && (
          <ContactDialog
            initialName={open.name}
            onClose={() => setOpen({ dialog: 'newTicket' })}
            onSaved={(contact) => setOpen({ dialog: 'newTicket', contact })}
          />
        )}
        {open?.dialog === 'contact' && (
          <ContactDialog
            contactId={open.contactId}
            onClose={() => setOpen(null)}
            onSaved={() => setOpen(null)}
          />
        )}
      </Suspense>
      {open?.dialog === 'spy' && (
        <Dialog
          open
          onClose={() => setOpen(null)}
          title={t('spy.title', { name: open.ticket.contact.name })}
          size="lg"
        >
          <chakra.div display="flex" h="min(640px, 70vh)" mx="-6" mb="-6">
            <Conversation ticket={open.ticket} readOnly />
          </chakra.div>
        </Dialog>
      )}
    </>
  );
}
