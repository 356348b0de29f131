import type { Ticket } from '@/features/tickets/api';
import type { SessionUser } from '@/lib/api/types';
import { variablesFor, type VariableValues } from '@/lib/variables';

const DEFAULT_ZONE = 'America/Sao_Paulo';

/** The time zone of the user's company. */
export const zoneOf = (user: SessionUser): string =>
  user.company.settings.find(({ key }) => key === 'timeZone')?.value || DEFAULT_ZONE;

/**
 * The protocol number of a ticket, the same as the server's: its opening day in UTC, and its id.
 */
export const protocolOf = ({ id, createdAt }: Pick<Ticket, 'id' | 'createdAt'>): string =>
  new Date(createdAt).toISOString().slice(0, 10).replaceAll('-', '') + String(id).padStart(6, '0');

/** The current values of a text's variables in a conversation. */
export const variablesOf = (
  ticket: Pick<Ticket, 'id' | 'createdAt' | 'contact'>,
  user: SessionUser,
  now: Date = new Date(),
): VariableValues =>
  variablesFor({
    name: ticket.contact.name,
    protocol: protocolOf(ticket),
    now,
    timeZone: zoneOf(user),
  });
