import type { SlaPolicy, SlaStep } from './types';

const step = (changes: Partial<SlaStep>): SlaStep => ({
  id: 1,
  kind: 'first_answer',
  when: 'quarter',
  minutes: 0,
  action: 'tell',
  tells: 'holder',
  tagId: null,
  tagName: null,
  priority: null,
  queueId: null,
  queueName: null,
  userId: null,
  userName: null,
  ...changes,
});

/** Times of a queue with two steps. */
export const POLICY: SlaPolicy = {
  id: 7,
  queueId: 4,
  queueName: 'Vendas',
  tagId: null,
  tagName: null,
  priority: null,
  firstAnswerMinutes: 15,
  nextAnswerMinutes: null,
  resolutionMinutes: 480,
  steps: [step({}), step({ id: 2, when: 'after', minutes: 30, action: 'assign', tells: '' })],
};
