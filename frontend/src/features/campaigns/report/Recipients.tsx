import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, MessagesSquare, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { RowName } from '@/components/Cells';
import { DataTable, type Column } from '@/components/DataTable';
import { IconButton } from '@/components/IconButton';
import { SearchInput } from '@/components/SearchInput';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { saveFile } from '@/lib/download';
import { formatCount, formatDateTime, formatPhone } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useNarrow } from '@/lib/useMedia';
import { useReason } from '@/lib/useReason';
import { fetchRecipientsFile, recipientPagesQuery } from './api';
import type { CampaignReport, Recipient, RecipientState } from './types';

const TONES = {
  pending: 'neutral',
  asking: 'info',
  asked: 'info',
  confirmed: 'info',
  queued: 'info',
  sent: 'live',
  failed: 'danger',
  skipped: 'neutral',
  not_confirmed: 'neutral',
} as const satisfies Record<RecipientState, string>;
const FILE_NAME = 'campaign.csv';

export interface RecipientsView {
  search: string;
  state: string;
  change: (part: { search?: string; state?: string }) => void;
}

interface RecipientsProps extends RecipientsView {
  campaignId: number;
  report: CampaignReport;
  onOpenTicket: (uuid: string) => void;
}

/** The recipients of a campaign with their states. */
export function Recipients(props: RecipientsProps) {
  const { campaignId, report, search, state, change, onOpenTicket } = props;
  const { t } = useTranslation(['campaignReport', 'common']);
  const reason = useReason();
  const isNarrow = useNarrow();
  const [isExporting, setExporting] = useState(false);
  const recipients = useInfiniteQuery({
    ...recipientPagesQuery(campaignId, { search, state }),
    placeholderData: keepPreviousData,
  });

  async function exportFile() {
    setExporting(true);
    try {
      saveFile(await fetchRecipientsFile(campaignId, { search, state }), FILE_NAME);
      toast.success(t('recipients.exported'));
    } catch (error) {
      toast.error(error);
    } finally {
      setExporting(false);
    }
  }

  const why = ({ reason: reasonCode, detail }: Recipient) =>
    reason({ reasonCode, reasonDetail: reasonCode ? detail : '' }, detail);
  const moment = (at: string | null) =>
    at && <chakra.span whiteSpace="nowrap">{formatDateTime(at)}</chakra.span>;

  const columns: Column<Recipient>[] = [
    {
      id: 'name',
      header: t('recipients.name'),
      primary: true,
      width: '20%',
      cell: ({ name, number }) => <RowName>{name || formatPhone(number)}</RowName>,
    },
    {
      id: 'number',
      header: t('recipients.number'),
      narrow: 'line',
      cell: ({ number }) => (
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {formatPhone(number)}
        </chakra.span>
      ),
    },
    {
      id: 'state',
      header: t('recipients.state'),
      narrow: 'end',
      cell: (row) => (
        <Badge tone={TONES[row.state]} h="5" px="2" whiteSpace="nowrap">
          {t(`states.${row.state}`)}
        </Badge>
      ),
    },
    {
      id: 'reason',
      header: t('recipients.reason'),
      width: '20%',
      narrow: 'line',
      cell: (row) => <chakra.span color="fg.muted">{why(row)}</chakra.span>,
    },
    {
      id: 'variant',
      header: t('recipients.variant'),
      numeric: true,
      cell: ({ variant }) => variant,
    },
    { id: 'sentAt', header: t('recipients.sentAt'), numeric: true, cell: (r) => moment(r.sentAt) },
    { id: 'readAt', header: t('recipients.readAt'), numeric: true, cell: (r) => moment(r.readAt) },
    {
      id: 'answeredAt',
      header: t('recipients.answeredAt'),
      numeric: true,
      cell: (r) => moment(r.answeredAt),
    },
  ];

  const isNarrowed = Boolean(search || state);
  return (
    <>
      <chakra.div display="flex" flexWrap="wrap" gap="3" alignItems="center">
        <chakra.div flex="1 1 200px" maxW={{ md: '360px' }} minW="0">
          <SearchInput
            label={t('recipients.search')}
            value={search}
            onSearch={(text) => change({ search: text })}
          />
        </chakra.div>
        <chakra.div flex={{ base: '1 1 auto', md: '0 0 240px' }} minW="0">
          <Select
            aria-label={t('recipients.filter')}
            value={state}
            onChange={(event) => change({ state: event.target.value })}
            placeholder={t('recipients.all', { shown: formatCount(report.total) })}
            options={optionsOf(report, state).map((each) => ({
              value: each.state,
              label: `${t(`states.${each.state}`)} (${formatCount(each.count)})`,
            }))}
          />
        </chakra.div>
        <chakra.div ms="auto" flexShrink="0">
          {isNarrow ? (
            <IconButton
              label={t('recipients.export')}
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
              {t('recipients.export')}
            </Button>
          )}
        </chakra.div>
      </chakra.div>
      <DataTable
        label={t('recipients.label')}
        columns={columns}
        rows={recipients.data?.rows}
        query={recipients}
        empty={
          <EmptyState
            icon={<Users size={20} />}
            title={t(isNarrowed ? 'recipients.noneFound' : 'recipients.none')}
            text={isNarrowed ? undefined : t('recipients.noneText')}
            action={
              isNarrowed && (
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => change({ search: '', state: '' })}
                >
                  {t('recipients.showAll')}
                </Button>
              )
            }
          />
        }
        actions={({ ticketUuid, name, number }) =>
          ticketUuid && (
            <IconButton
              label={t('recipients.open', { name: name || formatPhone(number) })}
              icon={<MessagesSquare size={16} />}
              size="sm"
              onClick={() => onOpenTicket(ticketUuid)}
            />
          )
        }
      />
    </>
  );
}

/** The states that occur, and the selected one. */
function optionsOf({ states }: CampaignReport, state: string) {
  const shown = states.filter((each) => each.count > 0 || each.state === state);
  const isKnown = (value: string): value is RecipientState => value in TONES;
  if (isKnown(state) && !shown.some((each) => each.state === state))
    shown.push({ state, count: 0 });
  return shown;
}
