import { useQuery } from '@tanstack/react-query';
import { connectionsQuery } from '@/features/connections/api';
import type { Ticket } from '@/features/tickets/api';
import type { Capabilities } from './actions';

/** Until the connections are known: what an official number can do, which is the least. */
const LEAST: Capabilities = { edit: false, delete: false, react: true };

/** What can be done on the ticket's connection. */
export function useCapabilities({ whatsappId }: Pick<Ticket, 'whatsappId'>): Capabilities {
  const { data } = useQuery(connectionsQuery());
  return data?.find(({ id }) => id === whatsappId)?.capabilities ?? LEAST;
}
