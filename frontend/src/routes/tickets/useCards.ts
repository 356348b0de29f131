import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { contactSearchQuery } from '@/features/contacts/api';
import type { CardActions, CardNumber } from '@/features/messages/content/ContactCards';
import { toast } from '@/lib/toast';
import type { Open } from './Dialogs';

/** Brazilian numbers go with and without a ninth digit: their last eight are the same. */
const tail = (number: string) => number.replace(/\D/g, '').slice(-8);

/** What contact cards in a conversation offer: keeping a number, and writing to it. */
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
