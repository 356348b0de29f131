import { z } from 'zod';
import type { ScheduleRow } from '@/lib/hours';
import {
  hasOwnField,
  MAX_TEXT,
  optionDrafts,
  type OptionDraft,
  type OptionErrors,
  type QueueDraft,
} from './drafts';
import type { QueueInput, QueueWithOptions } from './types';

const MAX_ORDER = 2 ** 31 - 1;
const text = z.string().max(MAX_TEXT, 'field.tooLong');

/** The queue form (rules/queues §1); its messages are translation keys. */
export const queueSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  color: z
    .string()
    .trim()
    .min(1, 'queues:colorRequired')
    .min(3, 'queues:colorLength')
    .max(9, 'queues:colorLength'),
  orderQueue: z
    .number({ error: 'queues:orderRequired' })
    .int('queues:orderRequired')
    .min(-MAX_ORDER, 'queues:orderRequired')
    .max(MAX_ORDER, 'queues:orderRequired')
    .nullable(),
  greetingMessage: text,
  completionMessage: text,
  outOfHoursMessage: text,
  ratingMessage: text,
  expireChat: z.boolean(),
  asksTransferNote: z.boolean(),
  schedules: z.custom<ScheduleRow[]>(),
  integrationId: z.number().nullable(),
  promptId: z.number().nullable(),
  options: z.custom<OptionDraft[]>(),
}) satisfies z.ZodType<QueueDraft>;

/** A saved queue as its dialog edits it. */
export function draftOf(queue: QueueWithOptions): QueueDraft {
  return {
    name: queue.name,
    color: queue.color,
    orderQueue: queue.orderQueue,
    greetingMessage: queue.greetingMessage,
    completionMessage: queue.complationMessage,
    outOfHoursMessage: queue.outOfHoursMessage,
    ratingMessage: queue.ratingMessage,
    expireChat: queue.expireChat,
    asksTransferNote: queue.asksTransferNote,
    schedules: queue.schedules,
    integrationId: queue.integrationId,
    promptId: queue.promptId,
    options: optionDrafts(queue.options),
  };
}

/** The form's fields by their names in a refusal. */
export const FIELD_OF_WIRE = {
  name: 'name',
  color: 'color',
  orderQueue: 'orderQueue',
  greetingMessage: 'greetingMessage',
  complationMessage: 'completionMessage',
  outOfHoursMessage: 'outOfHoursMessage',
  ratingMessage: 'ratingMessage',
  integrationId: 'integrationId',
  promptId: 'promptId',
} as const;

/**
 * Converts a draft to the call's body. `known` are the ids that the saved menu still has, if
 * another user changed it meanwhile: other nodes count as new.
 */
export function queueBody(draft: QueueDraft, known?: ReadonlySet<number>): QueueInput {
  const { completionMessage, ...fields } = draft;
  return {
    ...fields,
    complationMessage: completionMessage,
    // The rows use the server's names of the days, because they come from it or from the default
    // list.
    schedules: draft.schedules as NonNullable<QueueInput['schedules']>,
    options: optionNodes(draft.options, known),
  };
}

type OptionNodes = NonNullable<QueueInput['options']>;

function optionNodes(options: readonly OptionDraft[], known?: ReadonlySet<number>): OptionNodes {
  return options.map((option) => ({
    key: option.key,
    title: option.title.trim(),
    message: option.message,
    redirectionQueueId: option.redirectionQueueId,
    tagId: option.tagId,
    asks: option.asks,
    asksField: option.asksField,
    asksTogether: option.asksTogether,
    ...(option.id !== undefined && (known?.has(option.id) ?? true) && { id: option.id }),
    children: optionNodes(option.children, known),
  }));
}

/** The ids of a saved menu. */
export function optionIds(options: QueueWithOptions['options']): Set<number> {
  return new Set(options.flatMap(({ id, children }) => [id, ...optionIds(children)]));
}

/** The missing texts of a menu before it is saved: titles, and fields for requested data. */
export function missingWords(options: readonly OptionDraft[]): OptionErrors {
  return Object.assign({}, ...options.map(missingIn)) as OptionErrors;
}

function missingIn({ key, title, asks, asksField, children }: OptionDraft): OptionErrors {
  const isLost = asks !== '' && !hasOwnField(asks) && asksField.trim() === '';
  const errors = {
    ...(title.trim() === '' && { title: 'queues:titleRequired' }),
    ...(isLost && { asksField: 'queues:asksFieldRequired' }),
  };
  return {
    ...(Object.keys(errors).length > 0 && { [key]: errors }),
    ...missingWords(children),
  };
}
