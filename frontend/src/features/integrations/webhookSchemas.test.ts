import { expect, test } from 'vitest';
import { webhookFormOf, webhookSchema, type WebhookForm } from './webhookSchemas';

const form = (change: Partial<WebhookForm> = {}): WebhookForm => ({
  ...webhookFormOf(),
  name: 'CRM',
  url: 'https://crm.example.com/avisos',
  ...change,
});

/** The fields that are wrong, each with the key of its words. */
const faults = (change: Partial<WebhookForm>) =>
  webhookSchema
    .safeParse(form(change))
    .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

test('a new webhook is on and hears the beginning, the end and what is written', () => {
  expect(form()).toEqual({
    name: 'CRM',
    url: 'https://crm.example.com/avisos',
    events: ['message.received', 'ticket.opened', 'ticket.closed'],
    isActive: true,
  });
  expect(faults({})).toEqual([]);
});

test.each([
  [{ name: ' ' }, ['name', 'field.required']],
  [{ name: 'A' }, ['name', 'field.tooShort']],
  [{ name: 'A'.repeat(51) }, ['name', 'field.tooLong']],
  [{ url: '' }, ['url', 'field.required']],
  [{ url: 'crm.example.com' }, ['url', 'integrations:errors.address']],
  [{ url: 'ftp://crm.example.com' }, ['url', 'integrations:errors.address']],
  [{ events: [] }, ['events', 'webhooks:errors.events']],
])('%j is refused at its field', (change, fault) => {
  expect(faults(change as Partial<WebhookForm>)).toContainEqual(fault);
});
