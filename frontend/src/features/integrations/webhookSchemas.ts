import { z } from 'zod';
import type { OutgoingWebhook, WebhookEvent } from './types';

/** The events of a webhook, in the order of the form. */
export const WEBHOOK_EVENTS = [
  'message.received',
  'message.sent',
  'message.acked',
  'ticket.opened',
  'ticket.closed',
  'ticket.rated',
  'contact.created',
  'rule.ran',
] as const satisfies readonly WebhookEvent[];

/** The form of an outgoing webhook (rules/automation §11); messages are keys of the texts. */
export const webhookSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  url: z
    .string()
    .trim()
    .min(1, 'field.required')
    .max(500, 'field.tooLong')
    .regex(/^https?:\/\/[^\s/]/i, 'integrations:errors.address'),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1, 'webhooks:errors.events'),
  isActive: z.boolean(),
});

export type WebhookForm = z.infer<typeof webhookSchema>;

/** The initial form values; a new webhook gets the most common events. */
export const webhookFormOf = (webhook?: OutgoingWebhook): WebhookForm => ({
  name: webhook?.name ?? '',
  url: webhook?.url ?? '',
  events: webhook?.events ?? ['message.received', 'ticket.opened', 'ticket.closed'],
  isActive: webhook?.isActive ?? true,
});
