import { z } from 'zod';
import type { PolicyInput, SeatInput } from './types';

const DAY = 1440;

/** A whole number in words of the form; the message is a key of the texts. */
const number = (least: number, most: number) =>
  z
    .string()
    .trim()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `desk:invalid.number ${least} ${most}`,
    );

/** How a queue gives what waits to people (rules/desk §2). */
export const policySchema = z.object({
  mode: z.enum(['manual', 'round_robin', 'least_busy']),
  order: z.enum(['longest_waiting', 'oldest']),
  sticky: z.enum(['off', 'same_queue', 'any']),
  stickyDays: number(1, 90),
  stickyWaitMinutes: number(0, DAY),
  returnMinutes: number(0, DAY),
  returnTo: z.enum(['next', 'queue', 'supervisors']),
  maxReturns: number(1, 20),
  offlineAction: z.enum(['keep', 'return']),
  graceMinutes: number(0, DAY),
  fairLimit: number(1, 1000),
  fairWindowMinutes: number(1, DAY),
  releaseMinutes: number(0, DAY),
  manualAccept: z.boolean(),
});
export type PolicyForm = z.infer<typeof policySchema>;

export const NUMBERS = [
  ...(['stickyDays', 'stickyWaitMinutes', 'returnMinutes', 'maxReturns'] as const),
  ...(['graceMinutes', 'fairLimit', 'fairWindowMinutes', 'releaseMinutes'] as const),
] as const;
export type NumberName = (typeof NUMBERS)[number];

export function policyForm(policy: PolicyInput): PolicyForm {
  const texts = Object.fromEntries(NUMBERS.map((name) => [name, String(policy[name])])) as Record<
    NumberName,
    string
  >;
  return { ...policy, ...texts };
}

function isHidden(name: NumberName, form: PolicyForm): boolean {
  if (form.mode === 'manual' && /^(sticky|fair)/.test(name)) return true;
  if (form.sticky === 'off' && name.startsWith('sticky')) return true;
  return name === 'maxReturns' && !(parseInt(form.returnMinutes, 10) > 0);
}

/** The form with what is stored in the place of the numbers that its choices hide. */
export function withoutHidden(form: PolicyForm, stored: PolicyInput): PolicyForm {
  const kept = policyForm(stored);
  const hidden = NUMBERS.filter((name) => isHidden(name, form));
  return { ...form, ...Object.fromEntries(hidden.map((name) => [name, kept[name]])) };
}

export function policyInput(form: PolicyForm): PolicyInput {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, Number(form[name])])) as Record<
    NumberName,
    number
  >;
  return { ...form, ...numbers };
}

/** What a person can take (rules/desk §4). */
export const seatSchema = z.object({
  capacity: number(0, 1000),
  whatsappWeight: number(1, 100),
  callWeight: number(1, 100),
  skillIds: z.array(z.number()),
});
export type SeatForm = z.infer<typeof seatSchema>;

export const seatInput = (form: SeatForm, schedules: SeatInput['schedules']): SeatInput => ({
  capacity: Number(form.capacity),
  whatsappWeight: Number(form.whatsappWeight),
  callWeight: Number(form.callWeight),
  skillIds: form.skillIds,
  schedules,
});

/** The least and the most of a wrong number, from the message of `number`. */
export function limitsOf(message: string | undefined) {
  const found = /^desk:invalid\.number (\d+) (\d+)$/.exec(message ?? '');
  return found && { least: Number(found[1]), most: Number(found[2]) };
}
