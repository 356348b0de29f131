import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Receipt } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { DataTable, type Column } from '@/components/DataTable';
import { SearchInput } from '@/components/SearchInput';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { daysUntil, formatDay, inReais } from '@/lib/format';
import { ledgerPagesQuery } from './api';
import { LedgerDialog } from './LedgerDialog';
import type { LedgerInvoice } from './types';

const STATUSES = ['open', 'overdue', 'partial', 'paid', 'cancelled', 'refunded'] as const;

/** The super user's tab 'Cobrança': the invoices of all companies (rules/billing §8). */
export function LedgerTab() {
  const { t } = useTranslation('ledger');
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [openId, setOpenId] = useState<number | null>(null);
  const list = useInfiniteQuery({
    ...ledgerPagesQuery(search, status),
    placeholderData: keepPreviousData,
  });
  const isOverdue = (invoice: LedgerInvoice) =>
    invoice.status === 'open' && daysUntil(invoice.dueDate) < 0;

  const columns: Column<LedgerInvoice>[] = [
    {
      id: 'company',
      header: t('columns.company'),
      primary: true,
      cell: ({ companyName, detail }) => (
        <>
          <chakra.span fontWeight="semibold">{companyName}</chakra.span>
          <chakra.span display="block" textStyle="xs" color="fg.muted">
            {detail}
          </chakra.span>
        </>
      ),
    },
    {
      id: 'value',
      header: t('columns.value'),
      numeric: true,
      narrow: 'line',
      cell: ({ value }) => inReais(value),
    },
    {
      id: 'received',
      header: t('columns.received'),
      numeric: true,
      cell: ({ received }) => inReais(received),
    },
    {
      id: 'dueDate',
      header: t('columns.dueDate'),
      narrow: 'line',
      cell: ({ dueDate }) => (
        <chakra.span fontVariantNumeric="tabular-nums">{formatDay(dueDate)}</chakra.span>
      ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'end',
      cell: (invoice) => (
        <Badge
          tone={invoice.status === 'paid' ? 'live' : isOverdue(invoice) ? 'danger' : 'neutral'}
          h="5"
          px="2"
          whiteSpace="nowrap"
        >
          {t(`status.${isOverdue(invoice) ? 'overdue' : invoice.status}`)}
        </Badge>
      ),
    },
  ];

  return (
    <>
      <chakra.div
        role="search"
        display="grid"
        gridTemplateColumns={{ base: '1fr', sm: 'minmax(0, 320px) 200px' }}
        gap="3"
      >
        <SearchInput label={t('search')} value={search} onSearch={setSearch} />
        <Select
          aria-label={t('filter')}
          value={status}
          onChange={(event) => setStatus(event.target.value)}
          placeholder={t('anyStatus')}
          options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
        />
      </chakra.div>
      <DataTable
        grows
        label={t('label')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ invoices }) => invoices)}
        query={list}
        isAlarming={isOverdue}
        onRowClick={({ id }) => setOpenId(id)}
        empty={
          <EmptyState
            icon={<Receipt size={20} />}
            title={t(search || status ? 'empty.narrowed' : 'empty.title')}
          />
        }
        actions={({ id, companyName }) => (
          <Button
            variant="outline"
            size="sm"
            aria-label={t('openOne', { id, company: companyName })}
            onClick={() => setOpenId(id)}
          >
            {t('open')}
          </Button>
        )}
      />
      <Suspense>
        {openId !== null && <LedgerDialog id={openId} onClose={() => setOpenId(null)} />}
      </Suspense>
    </>
  );
}
