import type { BoardFilters } from './types';

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
