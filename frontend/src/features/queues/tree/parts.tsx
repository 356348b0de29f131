import { chakra } from '@chakra-ui/react';
import type { OptionDraft } from '../drafts';
import type { Queue } from '../types';

/** How far a level stands from the one above it, in px. */
export const INDENT = 24;

/** What follows a node's message. */
export function summaryOf(node: OptionDraft, queues: readonly Queue[]) {
  if (node.children.length > 0) return { kind: 'options', queue: undefined } as const;
  if (node.redirectionQueueId === null) return { kind: 'person', queue: undefined } as const;
  return {
    kind: 'queue',
    queue: queues.find(({ id }) => id === node.redirectionQueueId),
  } as const;
}

/** What the bot says for a leaf without words, as a key of the texts; nothing for any other. */
export function silenceOf({ children, message, redirectionQueueId }: OptionDraft) {
  if (children.length > 0 || message.trim() !== '') return undefined;
  return redirectionQueueId === null ? 'editor.silentPerson' : 'editor.silentQueue';
}

export function QueueDot({ colour }: { colour: string | undefined }) {
  return (
    <chakra.span
      aria-hidden
      flexShrink="0"
      w="2"
      h="2"
      borderRadius="full"
      bg="fg.subtle"
      {...(colour && { style: { backgroundColor: colour } })}
    />
  );
}
