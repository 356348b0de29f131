import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { can } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import type { BoardFilters } from './api';

/** Whether the company lets everybody look into every conversation. */
const SPY_SETTING = 'allowToSpyMessage';

/** The board's filters of an address; `showAll` is what counts when it says nothing. */
export function parseFilters(params: URLSearchParams, showAll: boolean): BoardFilters {
  const all = params.get('all');
  return {
    showAll: all === null ? showAll : all === '1',
    queues: (params.get('queues') ?? '')
      .split(',')
      .filter((text) => /^\d+$/.test(text))
      .map(Number),
  };
}

/** The address's query for filters; what is usual is left out. */
export function formatFilters(filters: BoardFilters, showAll: boolean): URLSearchParams {
  const params = new URLSearchParams();
  if (filters.showAll !== showAll) params.set('all', filters.showAll ? '1' : '0');
  if (filters.queues.length > 0) params.set('queues', filters.queues.join(','));
  return params;
}

/**
 * The board's filters, which live in the address. Who may see everybody's tickets may say so;
 * admins, who watch over the work of all, do from the start.
 */
export function useBoardView() {
  const user = useCurrentUser();
  const isAdmin = can(user, 'tickets-manager:showall');
  const maySeeAll =
    isAdmin ||
    user.company.settings.some(({ key, value }) => key === SPY_SETTING && value === 'enabled');
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => {
    const asked = parseFilters(params, isAdmin);
    return { ...asked, showAll: asked.showAll && maySeeAll };
  }, [params, isAdmin, maySeeAll]);
  const change = useCallback(
    (part: Partial<BoardFilters>) =>
      setParams(
        (current) => formatFilters({ ...parseFilters(current, isAdmin), ...part }, isAdmin),
        { replace: true },
      ),
    [setParams, isAdmin],
  );
  return { filters, change, isAdmin, maySeeAll };
}
