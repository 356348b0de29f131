import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, FileSpreadsheet, UserRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, ErrorState } from '@/components/States';
import { formatCount, formatPhone } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import {
  contactListQuery,
  listContactPagesQuery,
  useDeleteListContact,
  type ContactListItem,
} from './api';
import { useListContactEvents } from './events';

const ListContactDialog = lazy(() =>
  import('./ListContactDialog').then((module) => ({ default: module.ListContactDialog })),
);
const ImportDialog = lazy(() =>
  import('./ImportDialog').then((module) => ({ default: module.ImportDialog })),
);

type Open =
  | { dialog: 'add' }
  | { dialog: 'import' }
  | { dialog: 'edit'; row: ContactListItem }
  | { dialog: 'delete'; row: ContactListItem };

const VALIDITY = { true: 'valid', false: 'invalid', null: 'unknown' } as const;

/** The people of one contact list. */
export function ListContactsTable({ listId, onBack }: { listId: number; onBack: () => void }) {
  const { t } = useTranslation(['contactLists', 'common']);
  const [search, setSearch] = useState('');
  const canMake = canMakeCampaigns(useCurrentUser());
  const [open, setOpen] = useState<Open | null>(null);
  const list = useQuery(contactListQuery(listId));
  const people = useInfiniteQuery({
    ...listContactPagesQuery(listId, search),
    placeholderData: keepPreviousData,
  });
  const remove = useDeleteListContact();
  useListContactEvents(listId);
  const close = () => setOpen(null);

  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;

  const columns: Column<ContactListItem>[] = [
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
      id: 'number',
      header: t('columns.number'),
      narrow: 'line',
      cell: ({ number }) => (
        <chakra.span fontVariantNumeric="tabular-nums">{formatPhone(number)}</chakra.span>
      ),
    },
    {
      id: 'email',
      header: t('columns.email'),
      cell: ({ email }) => (
        <chakra.span color="fg.muted" overflowWrap="anywhere">
          {email}
        </chakra.span>
      ),
    },
    {
      id: 'valid',
      header: t('columns.valid'),
      narrow: 'line',
      cell: ({ isWhatsappValid }) => {
        const validity = VALIDITY[`${isWhatsappValid}`];
        return (
          <chakra.span color={validity === 'invalid' ? 'status.danger.fg' : 'fg.muted'}>
            {t(`validity.${validity}`)}
          </chakra.span>
        );
      },
    },
  ];

  const add = canMake && (
    <AddButton label={t('contact.submit')} onClick={() => setOpen({ dialog: 'add' })} />
  );

  return (
    <Page
      tools={<SearchInput label={t('contact.search')} value={search} onSearch={setSearch} />}
      action={
        <chakra.div display="flex" gap="2">
          {canMake && (
            <AddButton
              label={t('import.title')}
              icon={<FileSpreadsheet size={16} aria-hidden />}
              variant="outline"
              onClick={() => setOpen({ dialog: 'import' })}
            />
          )}
          {add}
        </chakra.div>
      }
    >
      <chakra.div display="flex" alignItems="center" gap="2" minW="0">
        <Button
          variant="ghost"
          size="sm"
          flexShrink="0"
          icon={<ArrowLeft size={16} aria-hidden />}
          onClick={onBack}
        >
          {t('back')}
        </Button>
        <chakra.h2 textStyle="md" fontWeight="semibold" truncate>
          {list.data?.name}
        </chakra.h2>
        {list.data && (
          <chakra.span textStyle="sm" color="fg.muted" flexShrink="0">
            {t('count', {
              count: list.data.contactsCount,
              shown: formatCount(list.data.contactsCount),
            })}
          </chakra.span>
        )}
      </chakra.div>
      <DataTable
        label={t('contact.label')}
        columns={columns}
        rows={people.data?.rows}
        query={people}
        {...(canMake && {
          onRowClick: (row: ContactListItem) => setOpen({ dialog: 'edit', row }),
        })}
        empty={
          <EmptyState
            icon={<UserRound size={20} />}
            title={search ? t('empty.search', { text: search }) : t('contact.empty')}
            {...(!search && canMake && { text: t('contact.emptyText'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            editLabel={t('editOne', { name: row.name })}
            onEdit={canMake && (() => setOpen({ dialog: 'edit', row }))}
            deleteLabel={t('deleteOne', { name: row.name })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense fallback={null}>
        {open?.dialog === 'add' && <ListContactDialog listId={listId} onClose={close} />}
        {open?.dialog === 'edit' && (
          <ListContactDialog listId={listId} stored={open.row} onClose={close} />
        )}
        {open?.dialog === 'import' && <ImportDialog listId={listId} onClose={close} />}
      </Suspense>
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.row.name })}
          id={open.row.id}
          remove={remove}
          done={t('contact.deleted')}
          onClose={close}
        >
          {t('contact.deleteText')}
        </ConfirmDelete>
      )}
    </Page>
  );
}
