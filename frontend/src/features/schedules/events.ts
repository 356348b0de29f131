import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { applyDeletion, applySchedule } from './api';
import type { ListFilters } from './types';

/** Updates calendars and lists on schedule events. */
export function useScheduleEvents() {
  const client = useQueryClient();
  useCompanyEvent('schedule', (event) => {
    if (event.action === 'delete') {
      applyDeletion(client, event.scheduleId);
      return;
    }
    applySchedule(client, event.schedule);
    // Only the server can match a new schedule against a text search.
    if (event.action === 'create')
      void client.invalidateQueries({
        queryKey: ['schedules'],
        predicate: ({ queryKey }) => Boolean((queryKey[2] as ListFilters | undefined)?.search),
      });
  });
}
