import { Board } from '@/features/kanban/Board';
import { useBoardView } from '@/features/kanban/useBoardView';
import { LastMessage } from '@/features/tickets/LastMessage';
import { QueueFilter } from '@/features/tickets/QueueFilter';
import { RowStyles } from '@/features/tickets/rowStyles';

/** The kanban board, with the inbox's queue filter and message preview. */
export function Component() {
  const { filters, change, isAdmin, seesAll } = useBoardView();
  return (
    <>
      <RowStyles />
      <Board
        filters={filters}
        Preview={LastMessage}
        queueFilter={
          <QueueFilter
            value={filters.queues}
            onChange={(queues) => change({ queues })}
            isAdmin={isAdmin}
          />
        }
        {...(seesAll && { onShowAll: (showAll: boolean) => change({ showAll }) })}
      />
    </>
  );
}
