import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { integrationKeys } from './api';

/** Fetches integrations anew when one was made, changed or deleted, while mounted. */
export function useIntegrationEvents() {
  const client = useQueryClient();
  // They change a few times a year: a fetch is cheaper than a place in the order.
  useCompanyEvent(
    'queueIntegration',
    () => void client.invalidateQueries({ queryKey: integrationKeys.all }),
  );
}
