import { z } from 'zod';
import type { Slot } from '@/lib/templates/filling';

/** Limits of the Cloud API, as the server checks them. */
const HEADER_LENGTH = 60;
const BODY_LENGTH = 1024;
const URL_LENGTH = 2000;
const CODE_LENGTH = 20;

export const limitOf = ({ kind, place }: Slot) =>
  kind === 'url'
    ? URL_LENGTH
    : kind === 'code'
      ? CODE_LENGTH
      : place === 'header'
        ? HEADER_LENGTH
        : BODY_LENGTH;

function fieldOf(slot: Slot) {
  const text = z
    .string()
    .trim()
    .min(1, 'templates:errors.required')
    .max(limitOf(slot), 'templates:errors.long');
  if (slot.kind === 'url') return text.regex(/^\S*$/, 'templates:errors.space');
  if (slot.kind === 'code') return text.regex(/^[0-9A-Za-z]*$/, 'templates:errors.code');
  return text.refine((value) => !/[\r\n\t]| {5,}/.test(value), 'templates:errors.oneLine');
}

/** One value for each slot, by index: a name with dots would be read as a path. */
export const valuesSchema = (slots: readonly Slot[]) =>
  z.object({
    values: z.array(z.string()).superRefine((values, context) => {
      slots.forEach((slot, index) => {
        const result = fieldOf(slot).safeParse(values[index] ?? '');
        const message = result.error?.issues[0]?.message;
        if (message) context.addIssue({ code: 'custom', path: [index], message });
      });
    }),
  });

export interface FormValues {
  values: string[];
}
