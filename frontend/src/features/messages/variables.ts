import type { Ticket } from '@/features/tickets/api';
import type { SessionUser } from '@/lib/api/types';
import { variablesFor, type VariableValues } from '@/lib/variables';

const DEFAULT_ZONE = 'America/Sao_Paulo';

/** The zone of the user's company. */
export const zoneOf = (user: SessionUser): string =>
  user.company.settings.find(({ key }) => key === 'timeZone')?.value || DEFAULT_ZONE;

/** The day a ticket was opened, in UTC, and its id: the number that the server gives it too. */
export const protocolOf = ({ id, createdAt }: Pick<Ticket, 'id' | 'createdAt'>): string =>
  new Date(createdAt).toISOString().slice(0, 10).replaceAll('-', '') + String(id).padStart(6, '0');

/** What the variables of a text mean in a conversation, now. */
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
