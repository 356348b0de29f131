import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import type { Contact } from '@/features/contacts/api';
import type { GalleryMessage } from '@/features/contacts/drawer/types';
import type { CardNumber } from '@/features/messages/content/ContactCards';
import { ConversationSkeleton } from '@/features/messages/ConversationSkeleton';
import { ticketQuery, type Ticket } from '@/features/tickets/api';
import { useCurrentUser } from '@/stores/session';

// Forms are large and the first page needs none: they load on demand.
const ContactDialog = lazy(() =>
  import('@/features/contacts/ContactDialog').then((file) => ({ default: file.ContactDialog })),
);
const NewTicketDialog = lazy(() =>
  import('@/features/tickets/NewTicketDialog').then((file) => ({ default: file.NewTicketDialog })),
);
const TransferDialog = lazy(() =>
  import('@/features/tickets/TransferDialog').then((file) => ({ default: file.TransferDialog })),
);
const SnoozeDialog = lazy(() =>
  import('@/features/tickets/SnoozeDialog').then((file) => ({ default: file.SnoozeDialog })),
);
const DeleteDialog = lazy(() =>
  import('@/features/tickets/DeleteDialog').then((file) => ({ default: file.DeleteDialog })),
);
const HandsDialog = lazy(() =>
  import('@/features/desk/HandsDialog').then((file) => ({ default: file.HandsDialog })),
);
const ScheduleDialog = lazy(() =>
  import('@/features/schedules/ScheduleDialog').then((file) => ({ default: file.ScheduleDialog })),
);
const Conversation = lazy(() =>
  import('@/features/messages/Conversation').then((file) => ({ default: file.Conversation })),
);
const ImageViewer = lazy(() =>
  import('@/features/messages/ImageViewer').then((file) => ({ default: file.ImageViewer })),
);

/** The dialog that is open over the inbox. */
export type Open =
  | { dialog: 'newTicket'; contact?: Contact }
  | { dialog: 'newContact'; name: string }
  | { dialog: 'card'; card: CardNumber; then: 'close' | 'newTicket' }
  | { dialog: 'contact'; contactId: number }
  | { dialog: 'transfer' | 'snooze' | 'hands' | 'delete' | 'schedule' | 'spy'; ticket: Ticket }
  | { dialog: 'scheduled'; scheduleId: number }
  | { dialog: 'image'; images: readonly GalleryMessage[]; messageId: number };

interface DialogsProps {
  open: Open | null;
  setOpen: (open: Open | null) => void;
  /** Called with the ticket to open: a new one, or the user's existing one. */
  onTicket: (ticket: Ticket) => void;
  /** Called with the ticket after the transfer and before it. */
  onTransferred: (ticket: Ticket, before: Ticket) => void;
  /** Called with the ticket after it was put aside. */
  onSnoozed: (ticket: Ticket) => void;
  onDeleted: (ticketId: number) => void;
}

export function Dialogs(props: DialogsProps) {
  const { open, setOpen, onTicket, onTransferred, onSnoozed, onDeleted } = props;
  const user = useCurrentUser();
  const close = () => setOpen(null);
  if (!open) return null;
  if (open.dialog === 'spy') return <SpyDialog ticket={open.ticket} onClose={close} />;
  return (
    <Suspense>
      {open.dialog === 'newTicket' && (
        <NewTicketDialog
          contact={open.contact ?? null}
          onClose={close}
          onTicket={(created) => {
            close();
            onTicket(created);
          }}
          onCreateContact={(name) => setOpen({ dialog: 'newContact', name })}
        />
      )}
      {open.dialog === 'newContact' && (
        <ContactDialog
          needsNumber
          initialName={open.name}
          onClose={() => setOpen({ dialog: 'newTicket' })}
          onSaved={(contact) => setOpen({ dialog: 'newTicket', contact })}
        />
      )}
      {open.dialog === 'card' && (
        <ContactDialog
          needsNumber={open.then === 'newTicket'}
          initialName={open.card.name}
          initialNumber={open.card.number}
          onClose={close}
          onSaved={(contact) =>
            open.then === 'newTicket' ? setOpen({ dialog: 'newTicket', contact }) : close()
          }
        />
      )}
      {open.dialog === 'contact' && (
        <ContactDialog contactId={open.contactId} onClose={close} onSaved={close} />
      )}
      {open.dialog === 'transfer' && (
        <TransferDialog
          ticket={open.ticket}
          onClose={close}
          onDone={(changed) => {
            close();
            onTransferred(changed, open.ticket);
          }}
        />
      )}
      {open.dialog === 'snooze' && (
        <SnoozeDialog
          ticket={open.ticket}
          onClose={close}
          onDone={(changed) => {
            close();
            onSnoozed(changed);
          }}
        />
      )}
      {open.dialog === 'hands' && (
        <HandsDialog
          ticketId={open.ticket.id}
          isMine={open.ticket.userId === user.id}
          onClose={close}
        />
      )}
      {open.dialog === 'delete' && (
        <DeleteDialog
          ticket={open.ticket}
          onClose={close}
          onDeleted={(ticketId) => {
            close();
            onDeleted(ticketId);
          }}
        />
      )}
      {open.dialog === 'schedule' && (
        <ScheduleDialog
          contact={{ id: open.ticket.contactId, name: open.ticket.contact.name }}
          ticketId={open.ticket.id}
          onClose={close}
        />
      )}
      {open.dialog === 'scheduled' && (
        <ScheduleDialog scheduleId={open.scheduleId} onClose={close} />
      )}
      {open.dialog === 'image' && (
        <ImageViewer
          images={open.images}
          currentId={open.messageId}
          onChange={(messageId) => setOpen({ ...open, messageId })}
          onClose={close}
        />
      )}
    </Suspense>
  );
}

/** A read-only view of a ticket (rules/screens §4). */
function SpyDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { t } = useTranslation('tickets');
  const { data: now } = useQuery({ ...ticketQuery(ticket.uuid), placeholderData: ticket });
  return (
    <Dialog open onClose={onClose} title={t('spy.title', { name: ticket.contact.name })} size="lg">
      <chakra.div display="flex" h="min(640px, 70vh)" mx="-6" mb="-6">
        <Suspense fallback={<ConversationSkeleton />}>
          <Conversation ticket={now ?? ticket} readOnly />
        </Suspense>
      </chakra.div>
    </Dialog>
  );
}
