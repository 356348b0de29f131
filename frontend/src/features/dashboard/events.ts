import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { dashboardKeys } from './api';
import { foldUser } from './fold';
import type { Dashboard } from './types';

/**
 * Keeps the attendants up to date: presence comes from events; after an addition or deletion they
 * are fetched again.
 */
export function useDashboardEvents() {
  const client = useQueryClient();
  useCompanyEvent('user', (event) => {
    if (event.action === 'update')
      changeQueries<Dashboard>(client, dashboardKeys.figures, (each) => foldUser(each, event.user));
    else void client.invalidateQueries({ queryKey: dashboardKeys.figures });
  });
}
