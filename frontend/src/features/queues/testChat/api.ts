import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { OptionDraft, QueueDraft } from '../drafts';

type Schemas = components['schemas'];
export type TestAnswer = Schemas['TestChatAnswer'];
export type TestMessage = Schemas['TestChatMessage'];
export type TestEffect = Schemas['TestChatEffect'];
type TestInput = Schemas['TestChatInputRequest'];
type DraftBody = TestInput['queue'];
type Nodes = NonNullable<DraftBody['options']>;

/** One step: what the contact wrote, or pressed; null when they write for the first time. */
export interface Step {
  state: TestAnswer['state'] | null;
  text: string;
  choiceId?: string;
}

const nodesOf = (options: readonly OptionDraft[]): Nodes =>
  options.map((node) => ({
    key: node.key,
    title: node.title,
    message: node.message,
    redirectionQueueId: node.redirectionQueueId,
    tagId: node.tagId,
    asks: node.asks,
    asksField: node.asksField,
    mediaName: node.file?.name ?? '',
    mediaMime: node.file?.mime ?? '',
    children: nodesOf(node.children),
  }));

/** What the bot reads of a draft, as the call takes it. */
export const draftBody = (draft: QueueDraft): DraftBody => ({
  // Too long a name is said at its field; the test goes on.
  name: draft.name.slice(0, 50),
  orderQueue: draft.orderQueue,
  greetingMessage: draft.greetingMessage,
  outOfHoursMessage: draft.outOfHoursMessage,
  // Rows name the days as the server does.
  schedules: draft.schedules as NonNullable<DraftBody['schedules']>,
  integrationId: draft.integrationId,
  promptId: draft.promptId,
  options: nodesOf(draft.options),
});

interface Question extends Step {
  queue: DraftBody;
  queueId: number | null;
  /** When the contact writes; now when it is null. */
  at: string | null;
}

/** Lets the bot of an unsaved queue answer; nothing of it is kept. */
export const askBot = (question: Question, signal: AbortSignal) =>
  api.post<TestAnswer>('/queue/test-chat', question, { signal });
