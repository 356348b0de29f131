import { useNavigate, useParams } from 'react-router';
import { ListContactsTable } from '@/features/contactLists/ListContactsTable';
import { paths } from './paths';

/** The contacts of a contact list. */
export function Component() {
  const navigate = useNavigate();
  const id = Number(useParams().id);
  return (
    <ListContactsTable key={id} listId={id} onBack={() => void navigate(paths.contactLists)} />
  );
}
