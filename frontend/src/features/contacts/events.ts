import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { changePages, contactKeys } from './api';
import type { ContactEvent } from './fold';

/** Keeps the pages of contacts in step with the live events while mounted. */
export function useContactEvents() {
  const client = useQueryClient();
  useCompanyEvent<ContactEvent>('contact', (event) => {
    if (event.action === 'reload') void client.invalidateQueries({ queryKey: contactKeys.pages });
    else changePages(client, event);
  });
}
