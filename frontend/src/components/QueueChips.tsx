import { chakra } from '@chakra-ui/react';
import { Chip } from './Badge';

interface QueueChipsProps {
  queues: readonly { id: number; name: string; color: string }[];
  /** The text if there are no queues. */
  empty: string;
}

/** Queues in a table's cell. */
export function QueueChips({ queues, empty }: QueueChipsProps) {
  if (queues.length === 0) return <chakra.span color="fg.muted">{empty}</chakra.span>;
  return (
    <chakra.span display="inline-flex" flexWrap="wrap" gap="1">
      {queues.map(({ id, name, color }) => (
        <Chip key={id} colour={color} shape="queue">
          {name}
        </Chip>
      ))}
    </chakra.span>
  );
}
