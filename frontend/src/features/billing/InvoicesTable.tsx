import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Ban, CircleAlert, CircleCheck, Clock, Receipt, Undo2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { formatDay, inReais } from '@/lib/format';
import { invoicePagesQuery } from './api';
import { usePaymentEvents } from './events';
import { standingOf, type Standing } from './standing';
import type { Invoice } from './types';

const CheckoutDialog = lazy(() =>
  import('./CheckoutDialog').then((module) => ({ default: module.CheckoutDialog })),
);

const LOOKS = {
  paid: { icon: CircleCheck, tone: 'live' },
  cancelled: { icon: Ban, tone: 'neutral' },
  refunded: { icon: Undo2, tone: 'neutral' },
  overdue: { icon: CircleAlert, tone: 'danger' },
  open: { icon: Clock, tone: 'neutral' },
} as const;

/** The page of invoices (rules/billing §1). */
export function InvoicesTable() {
  const { t } = useTranslation('billing');
  const [search, setSearch] = useState('');
  const [paying, setPaying] = useState<Invoice | null>(null);
  const list = useInfiniteQuery({
    ...invoicePagesQuery(search),
    placeholderData: keepPreviousData,
  });
  usePaymentEvents();

  const columns: Column<Invoice>[] = [
    {
      id: 'id',
      header: t('columns.id'),
      width: '96px',
      cell: ({ id }) => <chakra.span color="fg.muted">{id}</chakra.span>,
    },
    {
      id: 'detail',
      header: t('columns.detail'),
      primary: true,
      cell: ({ detail, received, status }) => (
        <>
          <chakra.span fontWeight="semibold">{detail}</chakra.span>
          {received > 0 && status === 'open' && (
            <chakra.span display="block" textStyle="xs" color="fg.muted">
              {t('received', { value: inReais(received) })}
            </chakra.span>
          )}
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
      cell: (invoice) => <StandingBadge standing={standingOf(invoice)} />,
    },
  ];

  return (
    <Page tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}>
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ invoices }) => invoices)}
        query={list}
        isAlarming={(invoice) => standingOf(invoice) === 'overdue'}
        actionsHeader={t('columns.action')}
        empty={
          <EmptyState
            icon={<Receipt size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text') })}
          />
        }
        actions={(invoice) =>
          invoice.status !== 'open' ? (
            <chakra.span px="3" textStyle="sm" color="fg.muted">
              {t(invoice.status)}
            </chakra.span>
          ) : (
            <Button
              size="sm"
              aria-label={t('payOne', { detail: invoice.detail, date: formatDay(invoice.dueDate) })}
              onClick={() => setPaying(invoice)}
            >
              {t('pay')}
            </Button>
          )
        }
      />
      <Suspense fallback={null}>
        {paying && <CheckoutDialog invoice={paying} onClose={() => setPaying(null)} />}
      </Suspense>
    </Page>
  );
}

/** The state of an invoice, with its icon. */
export function StandingBadge({ standing }: { standing: Standing }) {
  const { t } = useTranslation('billing');
  const { icon: Icon, tone } = LOOKS[standing];
  return (
    <Badge tone={tone} gap="1" h="5" px="2" whiteSpace="nowrap">
      <Icon size={12} aria-hidden />
      {t(`standing.${standing}`)}
    </Badge>
  );
}
