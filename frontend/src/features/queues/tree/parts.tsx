import { chakra } from '@chakra-ui/react';
import type { AskedKind, OptionDraft } from '../drafts';
import type { Queue } from '../types';

/** The indentation of a level, in px. */
export const INDENT = 24;

/** A summary of the step after a node's message. */
export function summaryOf(node: OptionDraft, queues: readonly Queue[]) {
  if (node.children.length > 0) return { kind: 'options', queue: undefined } as const;
  if (node.redirectionQueueId === null) return { kind: 'person', queue: undefined } as const;
  return {
    kind: 'queue',
    queue: queues.find(({ id }) => id === node.redirectionQueueId),
  } as const;
}

/**
 * The bot's default questions for options without text. Contacts read them, so they are Portuguese
 * in every language.
 */
export const QUESTIONS: Readonly<Record<AskedKind, string>> = {
  name: 'Qual é o seu nome?',
  email: 'Qual é o seu e-mail?',
  cpf: 'Qual é o seu CPF?',
  phone: 'Qual é o seu telefone?',
  number: 'Qual é o número?',
  text: 'Escreva a sua resposta, por favor.',
};

/**
 * The bot's default text for a node without text, as a translation key; undefined for most nodes.
 */
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
