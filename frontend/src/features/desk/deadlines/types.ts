import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type SlaPolicy = Schemas['SlaPolicy'];
export type SlaStep = Schemas['SlaStep'];
export type SlaKind = SlaStep['kind'];
export type SlaReport = Schemas['SlaReport'];
export type SlaCount = Schemas['SlaCount'];
export type SlaMissedPage = Schemas['SlaMissedPage'];
export type Holiday = Schemas['Holiday'];
export type Priority = NonNullable<SlaPolicy['priority']>;

export const KINDS = ['first_answer', 'next_answer', 'resolution'] as const;
export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;

/** A step as it is saved; what its action does not need is left out. */
export type StepInput = Pick<SlaStep, 'kind' | 'when' | 'action'> &
  Partial<Pick<SlaStep, 'minutes' | 'tells' | 'tagId' | 'priority' | 'queueId' | 'userId'>>;

export type PolicyInput = Pick<
  SlaPolicy,
  | 'queueId'
  | 'tagId'
  | 'priority'
  | 'firstAnswerMinutes'
  | 'nextAnswerMinutes'
  | 'resolutionMinutes'
> & { steps: StepInput[] };

/** Which missed clocks are asked for; 0 stands for no queue and for nobody. */
export interface MissedAsked {
  kind?: SlaKind;
  queueId?: number;
  userId?: number;
  hour?: number;
}
