import { chakra } from '@chakra-ui/react';
import { BellOff, Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { IconButton } from '@/components/IconButton';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { saveFile } from '@/lib/download';
import { formatCount, formatDateTime, formatPhone } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useAddRequest } from '@/lib/useAddRequest';
import { useNarrow } from '@/lib/useMedia';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { fetchOptOutsFile, optOutPagesQuery, useDeleteOptOut } from './api';
import { OptOutDialog } from './OptOutDialog';
import type { OptOut, OptOutWay } from './types';

const TONES = {
  word: 'info',
  asked: 'info',
  hand: 'neutral',
  meta: 'neutral',
} as const satisfies Record<OptOutWay, string>;
const FILE_NAME = 'opt-outs.csv';
/** The server's mark of a person whose number WhatsApp does not tell. */
const NO_NUMBER = 'lid:';

/** The people whom no campaign writes to: searched, added, deleted and exported. */
export function OptOutsTable() {
  const { t } = useTranslation(['optOuts', 'common']);
  const canMake = canMakeCampaigns(useCurrentUser());
  const records = useRecords(optOutPagesQuery);
  useAddRequest(() => {
    if (canMake) records.add();
  });
  const remove = useDeleteOptOut();
  const count = records.query.data?.count ?? 0;

  const phone = ({ number }: OptOut) =>
    number.startsWith(NO_NUMBER) ? t('noNumber') : formatPhone(number);
  const nameOf = (row: OptOut) => row.name || phone(row);

  const columns: Column<OptOut>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: (row) => <RowName>{nameOf(row)}</RowName>,
    },
    {
      id: 'number',
      header: t('columns.number'),
      narrow: 'line',
      cell: (row) => (
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {phone(row)}
        </chakra.span>
      ),
    },
    {
      id: 'way',
      header: t('columns.way'),
      narrow: 'end',
      cell: ({ by }) => (
        <Badge tone={TONES[by]} h="5" px="2" whiteSpace="nowrap">
          {t(`ways.${by}`)}
        </Badge>
      ),
    },
    {
      id: 'campaign',
      header: t('columns.campaign'),
      cell: ({ campaignName }) =>
        campaignName || (
          <chakra.span color="fg.muted" aria-label={t('noCampaign')} role="img">
            –
          </chakra.span>
        ),
    },
    {
      id: 'since',
      header: t('columns.since'),
      narrow: 'line',
      numeric: true,
      cell: ({ createdAt }) => (
        <chakra.span whiteSpace="nowrap">{formatDateTime(createdAt)}</chakra.span>
      ),
    },
  ];

  const add = canMake && <AddButton label={t('add')} onClick={records.add} />;
  return (
    <Page
      tools={<SearchInput label={t('search')} {...records.searching} />}
      action={
        <chakra.div display="flex" gap="2" alignItems="center">
          {count > 0 && <ExportButton search={records.search} />}
          {add}
        </chakra.div>
      }
    >
      {count > 0 && (
        <chakra.p role="status" textStyle="sm" color="fg.muted" my="-1">
          {t('count', { count, shown: formatCount(count) })}
        </chakra.p>
      )}
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <BellOff size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        onOpen={false}
        actions={(row) => ({
          name: nameOf(row),
          edit: false,
          remove: t('deleteOne', { name: nameOf(row) }),
        })}
      />
      <RecordDialogs
        records={records}
        form={() => <OptOutDialog onClose={records.close} />}
        remove={remove}
        deletion={(row) => ({
          title: t('delete.title', { name: nameOf(row) }),
          text: row.by === 'meta' ? t('delete.meta') : t('delete.text'),
          done: t('deleted'),
        })}
      />
    </Page>
  );
}

/** Saves a CSV file of what the search finds. */
function ExportButton({ search }: { search: string }) {
  const { t } = useTranslation('optOuts');
  const isNarrow = useNarrow();
  const [isExporting, setExporting] = useState(false);

  async function exportFile() {
    setExporting(true);
    try {
      saveFile(await fetchOptOutsFile(search), FILE_NAME);
      toast.success(t('exported'));
    } catch (error) {
      toast.error(error);
    } finally {
      setExporting(false);
    }
  }

  return isNarrow ? (
    <IconButton
      label={t('export')}
      icon={<Download size={16} />}
      variant="outline"
      loading={isExporting}
      onClick={() => void exportFile()}
    />
  ) : (
    <Button
      variant="outline"
      icon={<Download size={16} aria-hidden />}
      loading={isExporting}
      onClick={() => void exportFile()}
    >
      {t('export')}
    </Button>
  );
}
