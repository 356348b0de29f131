import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useCompanyEvent } from '@/lib/socket';
import { webhookKeys } from './webhookApi';

/**
 * The server sends delivery events at most every two seconds, so the last deliveries have no event
 * of their own.
 */
const UNTOLD_MS = 2_500;

/** Fetches webhooks and their logs anew when one is another, or something was posted. */
export function useWebhookEvents() {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useCompanyEvent('outgoingWebhook', (event) => {
    const fetchAnew = () => void client.invalidateQueries({ queryKey: webhookKeys.all });
    fetchAnew();
    if (event.action !== 'deliver') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(fetchAnew, UNTOLD_MS);
  });
}
