import { chakra } from '@chakra-ui/react';
import type { AskedKind, OptionDraft } from '../drafts';
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

/**
 * What the bot asks where an option that asks says nothing. The server's own words, Portuguese in
 * every language as all that contacts read.
 */
export const QUESTIONS: Readonly<Record<AskedKind, string>> = {
  name: 'Qual é o seu nome?',
  email: 'Qual é o seu e-mail?',
  cpf: 'Qual é o seu CPF?',
  number: 'Qual é o número?',
  text: 'Escreva a sua resposta, por favor.',
};

/** What the bot says for a node without words, as a key of the texts; nothing for most. */
export function silenceOf({ children, message, redirectionQueueId, asks }: OptionDraft) {
  if (message.trim() !== '') return undefined;
  if (asks !== '') return 'editor.silentQuestion';
  if (children.length > 0) return undefined;
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
