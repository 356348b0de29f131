import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Contact } from '@/features/contacts/api';
import { ContactsPage } from '@/features/contacts/ContactsPage';
import { mayBegin } from '@/lib/permissions';
import { useAddRequest } from '@/lib/useAddRequest';
import { useCurrentUser } from '@/stores/session';
import { paths } from './paths';

const ContactDialog = lazy(() =>
  import('@/features/contacts/ContactDialog').then((file) => ({ default: file.ContactDialog })),
);
const NewTicketDialog = lazy(() =>
  import('@/features/tickets/NewTicketDialog').then((file) => ({ default: file.NewTicketDialog })),
);

type Open =
  | { dialog: 'add'; name?: string }
  | { dialog: 'edit'; id: number }
  | { dialog: 'start'; contact: Contact | null };

/** The contacts page, with the dialog that starts a conversation with a contact. */
export function Component() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  useAddRequest(() => setOpen({ dialog: 'add' }));
  const close = () => setOpen(null);
  const start = (contact: Contact) => setOpen({ dialog: 'start', contact });
  const starting = mayBegin(useCurrentUser()) && { onSavedToStart: start };
  return (
    <>
      <ContactsPage
        onAdd={() => setOpen({ dialog: 'add' })}
        onEdit={({ id }) => setOpen({ dialog: 'edit', id })}
        onStart={(contact) =>
          contact.uuid ? void navigate(paths.ticket(contact.uuid)) : start(contact)
        }
        onSchedule={({ id }) => void navigate(paths.scheduleFor(id))}
      />
      <Suspense>
        {open?.dialog === 'add' && (
          <ContactDialog
            {...(open.name !== undefined && { initialName: open.name })}
            onClose={close}
            onSaved={close}
            {...starting}
          />
        )}
        {open?.dialog === 'edit' && (
          <ContactDialog contactId={open.id} onClose={close} onSaved={close} {...starting} />
        )}
        {open?.dialog === 'start' && (
          <NewTicketDialog
            contact={open.contact}
            onClose={close}
            onTicket={({ uuid }) => void navigate(paths.ticket(uuid))}
            onCreateContact={(name) => setOpen({ dialog: 'add', name })}
          />
        )}
      </Suspense>
    </>
  );
}
