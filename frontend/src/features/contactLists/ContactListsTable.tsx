import { chakra } from '@chakra-ui/react';
import { BookUser, Download } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { saveAddress } from '@/lib/download';
import { formatCount } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { contactListPagesQuery, useDeleteContactList, type ContactList } from './api';
import { useContactListEvents } from './events';
import exampleSheet from './modelo-contatos.xlsx?url';

const ContactListDialog = lazy(() =>
  import('./ContactListDialog').then((module) => ({ default: module.ContactListDialog })),
);

/** The page of contact lists; a row opens its contacts. */
export function ContactListsTable({ onOpen }: { onOpen: (list: ContactList) => void }) {
  const { t } = useTranslation(['contactLists', 'common']);
  const canMake = canMakeCampaigns(useCurrentUser());
  const records = useRecords(contactListPagesQuery);
  useAddRequest(() => {
    if (canMake) records.add();
  });
  const remove = useDeleteContactList();
  useContactListEvents();

  const columns: Column<ContactList>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => <RowName>{name}</RowName>,
    },
    {
      id: 'contacts',
      header: t('columns.contacts'),
      narrow: 'end',
      cell: ({ contactsCount: count }) => (
        <chakra.span fontVariantNumeric="tabular-nums">
          {t('count', { count, shown: formatCount(count) })}
        </chakra.span>
      ),
    },
  ];

  const add = canMake && <AddButton label={t('add')} onClick={records.add} />;
  return (
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <BookUser size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        onOpen={onOpen}
        actions={(row) => ({
          name: row.name,
          edit: canMake && t('editOne', { name: row.name }),
          remove: t('deleteOne', { name: row.name }),
          more: [
            {
              id: 'example',
              label: t('exampleOf', { name: row.name }),
              icon: <Download size={16} />,
              onSelect: () => saveAddress(exampleSheet, 'modelo-contatos.xlsx'),
            },
            {
              id: 'open',
              label: t('openOne', { name: row.name }),
              icon: <BookUser size={16} />,
              onSelect: () => onOpen(row),
            },
          ],
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => <ContactListDialog stored={row} onClose={records.close} />}
        remove={remove}
        deletion={({ name, contactsCount: count }) => ({
          title: t('delete.title', { name }),
          text: t('delete.text', { count, shown: formatCount(count) }),
          done: t('deleted'),
        })}
      />
    </Page>
  );
}
