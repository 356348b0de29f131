import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, type Connection } from '@/features/connections/api';
import type { Ticket } from '@/features/tickets/api';
import type { Capabilities } from './actions';

type Abilities = Capabilities & Pick<Connection['capabilities'], 'interactive'>;

/**
 * Until the connections are loaded: the capabilities of an official number, which are the fewest.
 */
const LEAST: Abilities = { edit: false, delete: false, react: true, interactive: false };

/** What is known of utility texts; null where there are none (rules/messages §12). */
export type UtilityTexts = 'unknown' | 'may' | 'may_not' | null;

/** Whether the account of the ticket's connection may send utility texts. */
export function useUtilityTexts(ticket: Pick<Ticket, 'whatsappId' | 'isGroup'>): UtilityTexts {
  const { data } = useQuery({
    ...connectionsQuery(),
    select: (connections) => {
      const found = connections.find(({ id }) => id === ticket.whatsappId);
      if (found?.provider !== 'official') return null;
      const { directSend, directSendUntil } = found;
      const isOver = directSendUntil !== null && Date.parse(directSendUntil) <= Date.now();
      return directSend === 'may_not' && isOver ? 'unknown' : directSend;
    },
  });
  return ticket.isGroup ? null : (data ?? null);
}

/** The actions that the ticket's connection supports. */
export function useCapabilities({ whatsappId }: Pick<Ticket, 'whatsappId'>): Abilities {
  const { data } = useQuery(connectionsQuery());
  return data?.find(({ id }) => id === whatsappId)?.capabilities ?? LEAST;
}
