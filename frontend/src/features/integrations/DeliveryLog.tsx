import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Segmented } from '@/components/Tabs';
import { deliveriesQuery } from './api';
import { DeliveryRow } from './DeliveryRow';
import { LogDialog } from './LogDialog';
import type { Integration, Shown } from './types';

interface DeliveryLogProps {
  integration: Integration;
  onClose: () => void;
}

const EMPTY = { all: 'log.empty', ok: 'log.emptyOk', failed: 'log.emptyFailed' } as const;

/** Every call of an integration, newest first, with what was sent and what came back. */
export function DeliveryLog({ integration, onClose }: DeliveryLogProps) {
  const { t } = useTranslation('integrations');
  const [shown, setShown] = useState<Shown>('all');
  const list = useInfiniteQuery({
    ...deliveriesQuery(integration.id, shown),
    placeholderData: keepPreviousData,
  });
  return (
    <LogDialog
      name={integration.name}
      onClose={onClose}
      list={list}
      filters={
        <>
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
        </>
      }
      empty={{ title: t(EMPTY[shown]), ...(shown === 'all' && { text: t('log.emptyText') }) }}
      renderRow={(row) => <DeliveryRow key={row.id} delivery={row} integration={integration} />}
    />
  );
}
