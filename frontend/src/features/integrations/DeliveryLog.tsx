import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { IconButton } from '@/components/IconButton';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { Segmented } from '@/components/Tabs';
import { deliveriesOf, deliveriesQuery } from './api';
import { DeliveryRow } from './DeliveryRow';
import type { Integration, Shown } from './types';

interface DeliveryLogProps {
  integration: Integration;
  onClose: () => void;
}

const EMPTY = { all: 'log.empty', ok: 'log.emptyOk', failed: 'log.emptyFailed' } as const;

/** Every call of an integration, newest first, with what was sent and what came back. */
export function DeliveryLog({ integration, onClose }: DeliveryLogProps) {
  const { t } = useTranslation(['integrations', 'common']);
  const [shown, setShown] = useState<Shown>('all');
  const list = useInfiniteQuery({
    ...deliveriesQuery(integration.id, shown),
    placeholderData: keepPreviousData,
  });
  const rows = list.data && deliveriesOf(list.data);
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={t('log.title', { name: integration.name })}
      footer={
        <Button variant="outline" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="3" minH="360px">
        <chakra.div display="flex" alignItems="center" justifyContent="space-between" gap="2">
          <Segmented
            aria-label={t('log.filter')}
            value={shown}
            onChange={setShown}
            tabs={[
              { value: 'all', label: t('log.all') },
              { value: 'failed', label: t('log.failed') },
              { value: 'ok', label: t('log.ok') },
            ]}
          />
          <IconButton
            label={t('log.refresh')}
            size="sm"
            icon={<RotateCw size={16} />}
            loading={list.isRefetching && !list.isFetchingNextPage}
            onClick={() => void list.refetch()}
          />
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
          <EmptyState
            icon={<ScrollText size={20} />}
            title={t(EMPTY[shown])}
            {...(shown === 'all' && { text: t('log.emptyText') })}
          />
        ) : (
          <chakra.ul display="flex" flexDirection="column" gap="2">
            {rows.map((row) => (
              <DeliveryRow key={row.id} delivery={row} integration={integration} />
            ))}
          </chakra.ul>
        )}
        {list.hasNextPage && (
          <Button
            variant="outline"
            size="sm"
            alignSelf="center"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('log.loadMore')}
          </Button>
        )}
      </chakra.div>
    </Dialog>
  );
}
