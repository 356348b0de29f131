import { useNavigate } from 'react-router';
import { ContactListsTable } from '@/features/contactLists/ContactListsTable';
import { paths } from './paths';

export function Component() {
  const navigate = useNavigate();
  return <ContactListsTable onOpen={({ id }) => void navigate(paths.contactList(id))} />;
}
