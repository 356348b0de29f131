import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, FileSpreadsheet, UserRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Button } from '@/components/Button';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { ErrorState } from '@/components/States';
import { formatCount, formatPhone } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { useRecords } from '@/lib/useRecords';
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

const VALIDITY = { true: 'valid', false: 'invalid', null: 'unknown' } as const;

/** The contacts of one list. */
export function ListContactsTable({ listId, onBack }: { listId: number; onBack: () => void }) {
  const { t } = useTranslation(['contactLists', 'common']);
  const canMake = canMakeCampaigns(useCurrentUser());
  const [isImporting, setImporting] = useState(false);
  const list = useQuery(contactListQuery(listId));
  const records = useRecords((search) => listContactPagesQuery(listId, search));
  const remove = useDeleteListContact();
  useListContactEvents(listId);

  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;

  const columns: Column<ContactListItem>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => <RowName>{name}</RowName>,
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

  const add = canMake && <AddButton label={t('contact.submit')} onClick={records.add} />;

  return (
    <Page
      tools={<SearchInput label={t('contact.search')} {...records.searching} />}
      action={
        <chakra.div display="flex" gap="2">
          {canMake && (
            <AddButton
              label={t('import.title')}
              icon={<FileSpreadsheet size={16} aria-hidden />}
              variant="outline"
              onClick={() => setImporting(true)}
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
      <RecordTable
        records={records}
        label={t('contact.label')}
        columns={columns}
        empty={{
          icon: <UserRound size={20} />,
          title: t('contact.empty'),
          text: canMake && t('contact.emptyText'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        onOpen={canMake && records.edit}
        actions={({ name }) => ({
          name,
          edit: canMake && t('editOne', { name }),
          remove: t('deleteOne', { name }),
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => <ListContactDialog listId={listId} stored={row} onClose={records.close} />}
        remove={remove}
        deletion={({ name }) => ({
          title: t('delete.title', { name }),
          text: t('contact.deleteText'),
          done: t('contact.deleted'),
        })}
      />
      <Suspense fallback={null}>
        {isImporting && <ImportDialog listId={listId} onClose={() => setImporting(false)} />}
      </Suspense>
    </Page>
  );
}
