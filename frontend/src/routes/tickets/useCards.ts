import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { contactSearchQuery } from '@/features/contacts/api';
import type { CardActions, CardNumber } from '@/features/messages/content/ContactCards';
import { toast } from '@/lib/toast';
import type { Open } from './Dialogs';

/** Brazilian numbers occur with and without a ninth digit: compare the last eight digits. */
const tail = (number: string) => number.replace(/\D/g, '').slice(-8);

/** The actions of contact cards in a conversation: save the contact, and start a conversation. */
export function useCards(setOpen: (open: Open) => void): CardActions {
  const client = useQueryClient();
  return useMemo(() => {
    async function start(card: CardNumber) {
      const end = tail(card.number);
      const { contacts } = await client.query({ ...contactSearchQuery(end), staleTime: 0 });
      const contact = contacts.find(({ number }) => tail(number) === end);
      setOpen(
        contact ? { dialog: 'newTicket', contact } : { dialog: 'card', card, then: 'newTicket' },
      );
    }
    return {
      onSaveContact: (card) => setOpen({ dialog: 'card', card, then: 'close' }),
      onStartTicket: (card) => void start(card).catch(toast.error),
    };
  }, [client, setOpen]);
}
