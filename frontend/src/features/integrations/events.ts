import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { integrationKeys } from './api';

/** Fetches integrations anew when one was made, changed or deleted, while mounted. */
export function useIntegrationEvents() {
  const client = useQueryClient();
  // Integrations change rarely, so a fetch is cheaper than sorting events in.
  useCompanyEvent(
    'queueIntegration',
    () => void client.invalidateQueries({ queryKey: integrationKeys.all }),
  );
}
