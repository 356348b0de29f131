import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { foldAnnouncement, type AnnouncementPages } from './fold';
import { announcementKeys } from './keys';

/**
 * Keeps the newest announcements up to date without a request, because all companies' browsers
 * receive the event at the same moment. Search results of the operator are fetched again.
 */
export function useAnnouncementEvents() {
  const client = useQueryClient();
  useCompanyEvent('announcement', (event) => {
    changeQueries<AnnouncementPages>(client, announcementKeys.newest, (data) =>
      foldAnnouncement(data, event),
    );
    void client.invalidateQueries({
      queryKey: announcementKeys.all,
      predicate: ({ queryKey }) => queryKey[1] !== '',
    });
  });
}
