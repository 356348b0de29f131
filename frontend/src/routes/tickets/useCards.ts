import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { contactSearchQuery } from '@/features/contacts/api';
import type { CardActions, CardNumber } from '@/features/messages/content/ContactCards';
import { may, mayBegin } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import type { Open } from './Dialogs';

/** Brazilian numbers occur with and without a ninth digit: compare the last eight digits. */
const tail = (number: string) => number.replace(/\D/g, '').slice(-8);

/** The actions of contact cards in a conversation: save the contact, and start a conversation. */
export function useCards(setOpen: (open: Open) => void): CardActions {
  const client = useQueryClient();
  const user = useCurrentUser();
  return useMemo(() => {
    async function start(card: CardNumber) {
      const end = tail(card.number);
      const { contacts } = await client.query({ ...contactSearchQuery(end), staleTime: 0 });
      const contact = contacts.find(({ number }) => tail(number) === end);
      setOpen(
        contact ? { dialog: 'newTicket', contact } : { dialog: 'card', card, then: 'newTicket' },
      );
    }
    const mayEdit = may(user, 'contacts:edit');
    return {
      ...(mayEdit && { onSaveContact: (card) => setOpen({ dialog: 'card', card, then: 'close' }) }),
      // A number that no contact has yet needs one.
      ...(mayEdit &&
        mayBegin(user) && { onStartTicket: (card) => void start(card).catch(toast.error) }),
    };
  }, [client, setOpen, user]);
}
