import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { connectionsQuery } from '@/features/connections/api';

const WINDOW_MS = 24 * 3_600_000;

/**
 * For a time more than 24 hours away: what an official number requires then (rules/messages §4).
 */
export function WindowHint({ sendAt }: { sendAt: Date }) {
  const { t } = useTranslation('schedules');
  const connections = useQuery(connectionsQuery());
  const { dataUpdatedAt: now } = connections;
  const isFar = sendAt.getTime() > now + WINDOW_MS;
  if (!isFar || !connections.data?.some(({ provider }) => provider === 'official')) return null;
  return (
    <chakra.p role="status" textStyle="xs" color="fg.muted">
      {t('windowHint')}
    </chakra.p>
  );
}
