import { z } from 'zod';
import type { components } from '@/lib/api/schema';

export type TestMessage = components['schemas']['TicketMessage'];
export type TestMessageInput = components['schemas']['ConnectionTestRequest'];
type Template = components['schemas']['Template'];

const MAX_TEXT = 4096;

export const testMessageSchema = z
  .object({
    number: z
      .string()
      .trim()
      .min(1, 'field.required')
      .refine((typed) => /^(\D*\d){8,15}\D*$/.test(typed), 'connections:trial.numberShort'),
    /** The key of the chosen template; '' for a text. */
    template: z.string(),
    body: z.string().max(MAX_TEXT, 'field.tooLong'),
  })
  .refine(({ template, body }) => template !== '' || body.trim() !== '', {
    path: ['body'],
    message: 'field.required',
  });
export type TestMessageForm = z.infer<typeof testMessageSchema>;

export const templateKey = ({ name, language }: Template) => `${name} ${language}`;

/** The templates that can be filled with their own examples: not those with a file or a code. */
export const testTemplates = (templates: readonly Template[]) =>
  templates.filter(
    ({ canBeSent, category, components }) =>
      canBeSent &&
      category !== 'AUTHENTICATION' &&
      components.every(({ format }) => format === undefined || format === 'TEXT'),
  );

export type Step = 'waiting' | 'sent' | 'delivered' | 'read' | 'failed';

/** The status of a message (rules/messages §2). */
export function stepOf({ ack }: TestMessage): Step {
  if (ack < 0) return 'failed';
  if (ack === 0) return 'waiting';
  if (ack <= 2) return 'sent';
  return ack < 4 ? 'delivered' : 'read';
}
