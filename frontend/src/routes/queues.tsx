import { lazy } from 'react';
import { QueuesTable } from '@/features/queues/QueuesTable';

// Loaded on demand: most visits change no rules.
const AssignmentDialog = lazy(() =>
  import('@/features/desk/AssignmentDialog').then((file) => ({ default: file.AssignmentDialog })),
);

/** The queues, each with the dialog of its distribution. */
export function Component() {
  return (
    <QueuesTable
      distribution={(queue, onClose) => <AssignmentDialog queue={queue} onClose={onClose} />}
    />
  );
}
