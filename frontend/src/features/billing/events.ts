import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { billingKeys } from './keys';

/** Asks for the invoices again when something was paid. */
export function usePaymentEvents() {
  const client = useQueryClient();
  useCompanyEvent('payment', () => void client.invalidateQueries({ queryKey: billingKeys.all }));
}
