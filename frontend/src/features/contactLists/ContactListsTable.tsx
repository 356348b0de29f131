import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { BookUser, Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { saveAddress } from '@/lib/download';
import { formatCount } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { useAddRequest } from '@/lib/useAddRequest';
import { useCurrentUser } from '@/stores/session';
import { contactListPagesQuery, useDeleteContactList, type ContactList } from './api';
import { useContactListEvents } from './events';
import exampleSheet from './modelo-contatos.xlsx?url';

const ContactListDialog = lazy(() =>
  import('./ContactListDialog').then((module) => ({ default: module.ContactListDialog })),
);

type Open =
  { dialog: 'add' } | { dialog: 'edit'; row: ContactList } | { dialog: 'delete'; row: ContactList };

/** The page of contact lists; a row leads to its people. */
export function ContactListsTable({ onOpen }: { onOpen: (list: ContactList) => void }) {
  const { t } = useTranslation(['contactLists', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const canMake = canMakeCampaigns(useCurrentUser());
  useAddRequest(() => {
    if (canMake) setOpen({ dialog: 'add' });
  });
  const list = useInfiniteQuery({
    ...contactListPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  const remove = useDeleteContactList();
  useContactListEvents();
  const close = () => setOpen(null);

  const columns: Column<ContactList>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => (
        <chakra.span fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </chakra.span>
      ),
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

  const add = canMake && <AddButton label={t('add')} onClick={() => setOpen({ dialog: 'add' })} />;

  return (
    <Page
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={add}
    >
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.rows}
        query={list}
        onRowClick={onOpen}
        empty={
          <EmptyState
            icon={<BookUser size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            more={[
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
            ]}
            editLabel={t('editOne', { name: row.name })}
            onEdit={canMake && (() => setOpen({ dialog: 'edit', row }))}
            deleteLabel={t('deleteOne', { name: row.name })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense fallback={null}>
        {open?.dialog === 'add' && <ContactListDialog onClose={close} />}
        {open?.dialog === 'edit' && <ContactListDialog stored={open.row} onClose={close} />}
      </Suspense>
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.row.name })}
          id={open.row.id}
          remove={remove}
          done={t('deleted')}
          onClose={close}
        >
          {t('delete.text', {
            count: open.row.contactsCount,
            shown: formatCount(open.row.contactsCount),
          })}
        </ConfirmDelete>
      )}
    </Page>
  );
}
