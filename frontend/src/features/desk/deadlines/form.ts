import {
  KINDS,
  type PolicyInput,
  type Priority,
  type SlaKind,
  type SlaPolicy,
  type StepInput,
} from './types';

export type Scope = 'queue' | 'tag' | 'priority';
export type Unit = 'minutes' | 'hours' | 'days';

/** A time as it is typed; '' for none. */
export interface Span {
  count: string;
  unit: Unit;
}

/** A step as it is edited; `subject` is the id or word that its action needs, '' for none. */
export interface StepForm {
  key: number;
  kind: SlaKind;
  when: StepInput['when'];
  minutes: string;
  action: StepInput['action'];
  subject: string;
}

export interface PolicyForm {
  scope: Scope;
  subject: string;
  spans: Record<SlaKind, Span>;
  steps: StepForm[];
}

const MINUTES: Record<Unit, number> = { minutes: 1, hours: 60, days: 24 * 60 };
const MOST = 31 * MINUTES.days;
const COLUMNS = {
  first_answer: 'firstAnswerMinutes',
  next_answer: 'nextAnswerMinutes',
  resolution: 'resolutionMinutes',
} as const;

/** A number of minutes in the largest unit in which it is whole. */
export function spanOf(minutes: number | null): Span {
  if (!minutes) return { count: '', unit: 'minutes' };
  const unit = minutes % MINUTES.days === 0 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes';
  return { count: String(minutes / MINUTES[unit]), unit };
}

/** The minutes of a typed time; null for none, NaN for what is none. */
export function minutesOf({ count, unit }: Span): number | null {
  if (!count.trim()) return null;
  const minutes = /^\d{1,6}$/.test(count.trim()) ? Number(count) * MINUTES[unit] : NaN;
  return minutes >= 1 && minutes <= MOST ? minutes : NaN;
}

let lastKey = 0;
const subjectOf = (step: SlaPolicy['steps'][number]): string =>
  ({
    tell: step.tells,
    tag: String(step.tagId ?? ''),
    priority: step.priority ?? '',
    queue: String(step.queueId ?? ''),
    assign: String(step.userId ?? ''),
  })[step.action];

export const newStep = (kind: SlaKind): StepForm => ({
  key: ++lastKey,
  kind,
  when: 'quarter',
  minutes: '15',
  action: 'tell',
  subject: 'holder',
});

export function formOf(policy: SlaPolicy | null): PolicyForm {
  if (!policy)
    return {
      scope: 'queue',
      subject: '',
      spans: { first_answer: spanOf(15), next_answer: spanOf(null), resolution: spanOf(null) },
      steps: [],
    };
  const { queueId, tagId, priority } = policy;
  return {
    scope: priority ? 'priority' : tagId ? 'tag' : 'queue',
    subject: priority ?? String(tagId ?? queueId ?? ''),
    spans: {
      first_answer: spanOf(policy.firstAnswerMinutes),
      next_answer: spanOf(policy.nextAnswerMinutes),
      resolution: spanOf(policy.resolutionMinutes),
    },
    steps: policy.steps.map((step) => ({
      key: step.id,
      kind: step.kind,
      when: step.when,
      minutes: String(step.minutes || 15),
      action: step.action,
      subject: subjectOf(step),
    })),
  };
}

/** The key of what is wrong with a form; null if it can be saved. */
export function faultOf(form: PolicyForm): string | null {
  const minutes = KINDS.map((kind) => minutesOf(form.spans[kind]));
  if (!form.subject) return `faults.${form.scope}`;
  if (minutes.some(Number.isNaN)) return 'faults.span';
  if (minutes.every((each) => each === null)) return 'faults.noSpan';
  for (const step of form.steps) {
    if (minutesOf(form.spans[step.kind]) === null) return 'faults.kind';
    if (step.when === 'after' && !/^[1-9]\d{0,4}$/.test(step.minutes.trim())) return 'faults.after';
    if (step.action !== 'assign' && !step.subject) return 'faults.subject';
    if (step.action === 'queue' && form.scope === 'queue' && step.subject === form.subject)
      return 'faults.sameQueue';
  }
  return null;
}

function stepInput({ kind, when, minutes, action, subject }: StepForm): StepInput {
  const step: StepInput = { kind, when, action };
  if (when === 'after') step.minutes = Number(minutes);
  if (action === 'tell') step.tells = subject as 'holder' | 'supervisors';
  else if (action === 'tag') step.tagId = Number(subject);
  else if (action === 'priority') step.priority = subject as Priority;
  else if (action === 'queue') step.queueId = Number(subject);
  else step.userId = subject ? Number(subject) : null;
  return step;
}

/** What is saved of a form without faults. */
export function inputOf({ scope, subject, spans, steps }: PolicyForm): PolicyInput {
  return {
    queueId: scope === 'queue' ? Number(subject) : null,
    tagId: scope === 'tag' ? Number(subject) : null,
    priority: scope === 'priority' ? (subject as Priority) : null,
    firstAnswerMinutes: minutesOf(spans.first_answer),
    nextAnswerMinutes: minutesOf(spans.next_answer),
    resolutionMinutes: minutesOf(spans.resolution),
    steps: steps.map(stepInput),
  };
}

export const minutesIn = (policy: SlaPolicy, kind: SlaKind) => policy[COLUMNS[kind]];
