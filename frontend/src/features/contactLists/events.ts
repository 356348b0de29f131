import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { contactListKeys } from './keys';

/** Asks for the lists again when one of them changed; an import tells how far it is so. */
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

/** Asks for a list's people again when some of them changed. */
export function useListContactEvents(listId: number) {
  const client = useQueryClient();
  const again = () => void client.invalidateQueries({ queryKey: contactListKeys.itemsOf(listId) });
  useContactListEvents();
  useCompanyEvent('ContactListItem', (event) => {
    if (event.action === 'delete' || event.record.contactListId === listId) again();
  });
  // Each list has a name of its own, of which the schema knows the form.
  useCompanyEvent(`ContactListItem-${listId}` as 'ContactListItem-{listId}', again);
}
