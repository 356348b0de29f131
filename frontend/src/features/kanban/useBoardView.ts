import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useReader } from '@/features/tickets/api';
import type { BoardFilters } from './types';
import { formatFilters, parseFilters } from './view';

/**
 * The board's filters, which live in the address. Who may see everybody's tickets may say so;
 * admins, who watch over the work of all, do from the start.
 */
export function useBoardView() {
  const { isAdmin, seesAll } = useReader();
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => {
    const asked = parseFilters(params, isAdmin);
    return { ...asked, showAll: asked.showAll && seesAll };
  }, [params, isAdmin, seesAll]);
  const change = useCallback(
    (part: Partial<BoardFilters>) =>
      setParams(
        (current) => formatFilters({ ...parseFilters(current, isAdmin), ...part }, isAdmin),
        { replace: true },
      ),
    [setParams, isAdmin],
  );
  return { filters, change, isAdmin, seesAll };
}
