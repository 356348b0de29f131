import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

/** A column: a kanban tag. */
export type Lane = Pick<Schemas['Tag'], 'id' | 'name' | 'color'>;

/** What narrows the board. `queues`: chosen queues, 0 for 'without queue'; empty is all. */
export interface BoardFilters {
  showAll: boolean;
  queues: readonly number[];
}
