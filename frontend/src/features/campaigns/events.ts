import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { applyCampaign, applyDeletion } from './api';
import { campaignKeys } from './keys';

/** Keeps cached campaigns and lists of campaigns up to date with live events. */
export function useCampaignEvents() {
  const client = useQueryClient();
  useCompanyEvent('campaign', (event) => {
    if (event.action === 'delete') {
      applyDeletion(client, event.id);
      return;
    }
    applyCampaign(client, event.record);
    // Only the server knows whether a new campaign matches a search.
    if (event.action === 'create')
      void client.invalidateQueries({
        queryKey: campaignKeys.pages,
        predicate: ({ queryKey }) => Boolean(queryKey[2]),
      });
  });
}

/** Fetches the settings again when somebody has changed one. */
export function useCampaignSettingsEvents() {
  const client = useQueryClient();
  useCompanyEvent(
    'campaignSettings',
    () => void client.invalidateQueries({ queryKey: campaignKeys.settings }),
  );
}

/** Fetches the segments again when somebody has changed one. */
export function useSegmentEvents() {
  const client = useQueryClient();
  useCompanyEvent(
    'segment',
    () => void client.invalidateQueries({ queryKey: campaignKeys.segments }),
  );
}
