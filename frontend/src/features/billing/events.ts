import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { billingKeys } from './keys';

/** Fetches the invoices again after a payment. */
export function usePaymentEvents() {
  const client = useQueryClient();
  useCompanyEvent('payment', () => void client.invalidateQueries({ queryKey: billingKeys.all }));
}
