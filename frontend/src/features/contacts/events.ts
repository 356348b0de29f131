import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { changeImport, changePages, contactKeys } from './api';

/** Keeps the pages of contacts up to date with the live events while mounted. */
export function useContactEvents() {
  const client = useQueryClient();
  useCompanyEvent('contact', (event) => {
    if (event.action === 'reload') void client.invalidateQueries({ queryKey: contactKeys.pages });
    else changePages(client, event);
  });
  useCompanyEvent('contactImport', (event) => changeImport(client, event.record));
}
