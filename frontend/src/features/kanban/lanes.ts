import type { Ticket } from '@/features/tickets/api';
import type { LiveEvent } from '@/lib/api/types';
import type { Lane } from './types';

/** The lane of tickets without a kanban tag. */
export const OPEN_LANE = 0;

/** Lanes by name, numbers in it by their value: '2. Separação' stands before '10. Entrega'. */
export const inOrder = (lanes: readonly Lane[]): Lane[] =>
  [...lanes].sort(
    (left, right) =>
      left.name.localeCompare(right.name, undefined, { numeric: true }) || left.id - right.id,
  );

/** A ticket's lane: its kanban tag; of several, as when a tag became a lane late, the oldest. */
export function laneOf({ tags }: Pick<Ticket, 'tags'>): number {
  const ids = tags.filter(({ kanban }) => kanban === 1).map(({ id }) => id);
  return ids.length > 0 ? Math.min(...ids) : OPEN_LANE;
}

/** The ticket as it will be in a lane (null: in none). */
export function inLane(ticket: Ticket, lane: Lane | null): Ticket {
  const others = ticket.tags.filter(({ kanban }) => kanban !== 1);
  return { ...ticket, tags: lane ? [...others, { ...lane, kanban: 1 }] : others };
}

/** Lanes appear, change their name and colour, and go as their tags do. */
export function foldLanes(lanes: readonly Lane[], event: LiveEvent<'tag'>): Lane[] {
  const id = event.action === 'delete' ? event.tagId : event.tag.id;
  const others = lanes.filter((lane) => lane.id !== id);
  if (event.action === 'delete' || event.tag.kanban !== 1) return inOrder(others);
  const { name, color } = event.tag;
  return inOrder([...others, { id, name, color }]);
}
