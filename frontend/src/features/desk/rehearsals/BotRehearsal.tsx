import { useState } from 'react';
import { RehearsalDialog } from './RehearsalDialog';
import { RehearseButton } from './RehearseButton';
import type { Proposal } from './types';

type TriedQueue = NonNullable<Proposal['bot']>;

interface BotRehearsalProps {
  queue: { id: number; name: string };
  /** Gives the queue as it is edited, if it can be saved. */
  check: (onRight: (draft: TriedQueue) => void) => void;
  onSave: () => void;
}

/** Tries the menu of a queue that is being edited on what contacts wrote to the bot. */
export function BotRehearsal({ queue, check, onSave }: BotRehearsalProps) {
  const [tried, setTried] = useState<TriedQueue | null>(null);
  return (
    <>
      <RehearseButton onClick={() => check(setTried)} />
      {tried && (
        <RehearsalDialog
          title={queue.name}
          proposal={{ subject: 'bot', queueId: queue.id, bot: tried }}
          isOn
          onSwitchOn={() => {
            setTried(null);
            onSave();
          }}
          onClose={() => setTried(null)}
        />
      )}
    </>
  );
}
