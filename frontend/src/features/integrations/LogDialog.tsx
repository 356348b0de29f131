import { chakra } from '@chakra-ui/react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { MoreButton } from '@/components/ListEnd';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { eachOnce } from '@/lib/api/pages';

interface LogDialogProps<Row> {
  /** The name of the integration or webhook. */
  name: string;
  onClose: () => void;
  list: UseInfiniteQueryResult<InfiniteData<{ deliveries: Row[] }>>;
  /** The filters of the list. */
  filters: ReactNode;
  /** The empty state; its text only shows without filters. */
  empty: { title: string; text?: string };
  renderRow: (row: Row) => ReactNode;
}

/** The deliveries to an address, newest first. */
export function LogDialog<Row extends { id: number }>(props: LogDialogProps<Row>) {
  const { name, onClose, list, filters, empty, renderRow } = props;
  const { t } = useTranslation(['integrations', 'common']);
  // New rows shift rows to the next page, so duplicates are removed.
  const rows = list.data && eachOnce(list.data.pages.flatMap(({ deliveries }) => deliveries));
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={t('log.title', { name })}
      footer={
        <Button variant="outline" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="3" minH="360px">
        <chakra.div
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          gap="2"
          flexWrap="wrap"
        >
          {filters}
        </chakra.div>
        {list.error && !rows ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : !rows ? (
          <chakra.div role="status" aria-label={t('common:loading')} display="grid" gap="2">
            {[0, 1, 2, 3].map((row) => (
              <Skeleton key={row} display="block" h="11" borderRadius="md" />
            ))}
          </chakra.div>
        ) : rows.length === 0 ? (
          <EmptyState icon={<ScrollText size={20} />} {...empty} />
        ) : (
          <chakra.ul display="flex" flexDirection="column" gap="2">
            {rows.map(renderRow)}
          </chakra.ul>
        )}
        <chakra.div alignSelf="center">
          <MoreButton pages={list} label={t('log.loadMore')} />
        </chakra.div>
      </chakra.div>
    </Dialog>
  );
}
