export { WebhooksTable as Component } from '@/features/integrations/WebhooksTable';
