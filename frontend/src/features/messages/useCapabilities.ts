import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, type Connection } from '@/features/connections/api';
import type { Ticket } from '@/features/tickets/api';
import type { Capabilities } from './actions';

type Abilities = Capabilities & Pick<Connection['capabilities'], 'interactive'>;

/**
 * Until the connections are loaded: the capabilities of an official number, which are the fewest.
 */
const LEAST: Abilities = { edit: false, delete: false, react: true, interactive: false };

/** The actions that the ticket's connection supports. */
export function useCapabilities({ whatsappId }: Pick<Ticket, 'whatsappId'>): Abilities {
  const { data } = useQuery(connectionsQuery());
  return data?.find(({ id }) => id === whatsappId)?.capabilities ?? LEAST;
}
