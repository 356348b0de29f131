import { lazy, Suspense } from 'react';
import { QueuesTable } from '@/features/queues/QueuesTable';

// Loaded on demand: most visits change no rules.
const AssignmentDialog = lazy(() =>
  import('@/features/desk/AssignmentDialog').then((file) => ({ default: file.AssignmentDialog })),
);
const BotRehearsal = lazy(() =>
  import('@/features/desk/rehearsals/BotRehearsal').then((file) => ({
    default: file.BotRehearsal,
  })),
);

/** The queues, each with the dialog of its distribution and the rehearsal of its bot. */
export function Component() {
  return (
    <QueuesTable
      distribution={(queue, onClose) => <AssignmentDialog queue={queue} onClose={onClose} />}
      rehearsal={(tried) => (
        <Suspense>
          <BotRehearsal {...tried} />
        </Suspense>
      )}
    />
  );
}
