import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Integration = Schemas['Integration'];
export type IntegrationType = Integration['type'];
export type IntegrationInput = Schemas['IntegrationInputRequest'];
export type TestSessionInput = Schemas['PatchedTestSessionInputRequest'];
export type IntegrationsPage = Schemas['IntegrationPage'];

/** One call of an integration. */
export type Delivery = Schemas['IntegrationCall'];
export type DeliveriesPage = Schemas['IntegrationCallPage'];

/** Which calls the log shows. */
export type Shown = 'all' | 'ok' | 'failed';

export type OutgoingWebhook = Schemas['OutgoingWebhook'];
export type OutgoingWebhookInput = Schemas['OutgoingWebhookInputRequest'];
export type OutgoingWebhooksPage = Schemas['OutgoingWebhookPage'];
export type WebhookEvent = Schemas['WebhookEventEnum'];

/** An event on its way to a webhook's address, with its last try. */
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveriesPage = Schemas['WebhookDeliveryPage'];
export type WebhookStatus = WebhookDelivery['status'];
