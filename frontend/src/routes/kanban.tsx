import { Board } from '@/features/kanban/Board';
import { useBoardView } from '@/features/kanban/view';
import { MessagePreview } from '@/features/tickets/MessagePreview';
import { QueueFilter } from '@/features/tickets/QueueFilter';

/** The kanban board, with the inbox's queue filter and last message. */
export function Component() {
  const { filters, change, isAdmin, maySeeAll } = useBoardView();
  return (
    <Board
      filters={filters}
      Preview={MessagePreview}
      queueFilter={
        <QueueFilter
          value={filters.queues}
          onChange={(queues) => change({ queues })}
          isAdmin={isAdmin}
        />
      }
      {...(maySeeAll && { onShowAll: (showAll: boolean) => change({ showAll }) })}
    />
  );
}
