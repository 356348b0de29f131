import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { isOver, rehearsalKeys } from './api';
import { foldProgress } from './fold';
import type { RehearsalDetail } from './types';

/** Follows a rehearsal; when it is over its report is fetched. */
export function useRehearsalEvents(id: number | null) {
  const client = useQueryClient();
  useCompanyEvent('rehearsal', ({ rehearsal }) => {
    if (rehearsal.id !== id) return;
    const key = rehearsalKeys.one(rehearsal.id);
    changeQueries<RehearsalDetail>(client, key, (known) => foldProgress(known, rehearsal));
    if (isOver(rehearsal)) void client.invalidateQueries({ queryKey: rehearsalKeys.all });
  });
}
