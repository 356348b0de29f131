export { IntegrationsTable as Component } from '@/features/integrations/IntegrationsTable';
