import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/lib/toast';
import { useShortcuts } from '@/lib/useShortcuts';
import { ticketsOf, ticketsQuery } from './api';
import { stepFrom } from './next';
import type { Ticket } from './types';
import { useReader } from './useReader';
import { filtersOf, type ListView } from './view';

interface StepKeys {
  /** Whether the list is not rendered: a rendered list handles these keys itself. */
  isOn: boolean;
  view: ListView;
  openUuid: string | undefined;
  onOpen: (ticket: Ticket) => void;
}

/**
 * Handles Alt with an arrow key while the open conversation fills the screen: opens the next ticket
 * of the list.
 */
export function useStepKeys({ isOn, view, openUuid, onOpen }: StepKeys) {
  const client = useQueryClient();
  const filters = filtersOf(view, useReader());
  const query = ticketsQuery(filters);

  async function open(step: 1 | -1) {
    const from = window.location.href;
    let list = await client.infiniteQuery({ ...query, staleTime: Infinity });
    let next = stepFrom(ticketsOf(list, filters.order), openUuid, step);
    const last = list.pages.at(-1);
    if (!next && step > 0 && last && query.getNextPageParam(last, list.pages, 0, [])) {
      const pages = list.pages.length + 1;
      list = await client.infiniteQuery({ ...query, pages, staleTime: 0 });
      next = stepFrom(ticketsOf(list, filters.order), openUuid, step);
    }
    if (next && window.location.href === from) onOpen(next);
  }
  const go = (step: 1 | -1) => {
    if (!isOn) return false;
    open(step).catch(toast.error);
    return true;
  };
  useShortcuts({ 'alt+ArrowDown': () => go(1), 'alt+ArrowUp': () => go(-1) });
}
