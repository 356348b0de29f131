import { useQuery } from '@tanstack/react-query';
import { connectionsQuery } from '@/features/connections/api';
import type { Ticket } from '@/features/tickets/api';
import type { Capabilities } from './actions';

/**
 * Until the connections are loaded: the capabilities of an official number, which are the fewest.
 */
const LEAST: Capabilities = { edit: false, delete: false, react: true };

/** The actions that the ticket's connection supports. */
export function useCapabilities({ whatsappId }: Pick<Ticket, 'whatsappId'>): Capabilities {
  const { data } = useQuery(connectionsQuery());
  return data?.find(({ id }) => id === whatsappId)?.capabilities ?? LEAST;
}
