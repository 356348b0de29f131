import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { OptionDraft, QueueDraft } from '../drafts';

type Schemas = components['schemas'];
export type TestAnswer = Schemas['TestChatAnswer'];
export type TestMessage = Schemas['TestChatMessage'];
export type TestEffect = Schemas['TestChatEffect'];
export type TestForm = NonNullable<TestMessage['form']>;
type TestInput = Schemas['TestChatInputRequest'];
export type DraftBody = TestInput['queue'];
type Nodes = NonNullable<DraftBody['options']>;

/** One step: the contact's text or choice; null for the first contact. */
export interface Step {
  state: TestAnswer['state'] | null;
  text: string;
  choiceId?: string;
  form?: NonNullable<TestInput['form']>;
}

const nodesOf = (options: readonly OptionDraft[]): Nodes =>
  options.map((node) => ({
    ...(node.id !== undefined && { id: node.id }),
    key: node.key,
    title: node.title,
    message: node.message,
    redirectionQueueId: node.redirectionQueueId,
    tagId: node.tagId,
    asks: node.asks,
    asksField: node.asksField,
    asksTogether: node.asksTogether,
    mediaName: node.file?.name ?? '',
    mediaMime: node.file?.mime ?? '',
    children: nodesOf(node.children),
  }));

/** The part of a draft that the bot uses, as the call's body. */
export const draftBody = (draft: QueueDraft): DraftBody => ({
  // A name that is too long is an error of its field; the test continues.
  name: draft.name.slice(0, 50),
  orderQueue: draft.orderQueue,
  greetingMessage: draft.greetingMessage,
  outOfHoursMessage: draft.outOfHoursMessage,
  // The rows use the server's names of the days.
  schedules: draft.schedules as NonNullable<DraftBody['schedules']>,
  integrationId: draft.integrationId,
  promptId: draft.promptId,
  options: nodesOf(draft.options),
});

interface Question extends Step {
  queue: DraftBody;
  queueId: number | null;
  /** The time of the contact's message; null means now. */
  at: string | null;
}

/** Gets the answer of an unsaved queue's bot; nothing is stored. */
export const askBot = (question: Question, signal: AbortSignal) =>
  api.post<TestAnswer>('/queue/test-chat', question, { signal });
