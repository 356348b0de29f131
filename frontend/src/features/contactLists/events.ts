import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { contactListKeys } from './keys';

/**
 * Fetches the lists again when one of them changed; this also updates the progress of an import.
 */
export function useContactListEvents() {
  const client = useQueryClient();
  useCompanyEvent('ContactList', (event) => {
    void client.invalidateQueries({ queryKey: contactListKeys.pages });
    if (event.action === 'update')
      client.setQueryData(contactListKeys.one(event.record.id), event.record);
    if (event.action === 'delete')
      void client.invalidateQueries({ queryKey: contactListKeys.one(event.id) });
  });
}

/** Fetches a list's contacts again when some of them changed. */
export function useListContactEvents(listId: number) {
  const client = useQueryClient();
  const again = () => void client.invalidateQueries({ queryKey: contactListKeys.itemsOf(listId) });
  useContactListEvents();
  useCompanyEvent('ContactListItem', (event) => {
    if (event.action === 'delete' || event.record.contactListId === listId) again();
  });
  // Each list has its own event name; the schema has only the pattern.
  useCompanyEvent(`ContactListItem-${listId}` as 'ContactListItem-{listId}', again);
}
