import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { foldAnnouncement, type AnnouncementPages } from './fold';
import { announcementKeys } from './keys';

/**
 * Keeps the newest up to date without asking the server: the browsers of all companies hear of one
 * at the same moment. What the operator searched is asked for again.
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
