import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { applyCampaign, applyDeletion } from './api';
import { campaignKeys } from './keys';

/** Keeps lists of campaigns and single ones in step with what happens to them. */
export function useCampaignEvents() {
  const client = useQueryClient();
  useCompanyEvent('campaign', (event) => {
    if (event.action === 'delete') {
      applyDeletion(client, event.id);
      return;
    }
    applyCampaign(client, event.record);
    // Only the server knows whether a new one fits a search.
    if (event.action === 'create')
      void client.invalidateQueries({
        queryKey: campaignKeys.pages,
        predicate: ({ queryKey }) => Boolean(queryKey[2]),
      });
  });
}

/** Asks for the settings again when somebody changed one. */
export function useCampaignSettingsEvents() {
  const client = useQueryClient();
  useCompanyEvent(
    'campaignSettings',
    () => void client.invalidateQueries({ queryKey: campaignKeys.settings }),
  );
}

/** Asks for what there is to choose from again when somebody changed a segment. */
export function useSegmentEvents() {
  const client = useQueryClient();
  useCompanyEvent(
    'segment',
    () => void client.invalidateQueries({ queryKey: campaignKeys.segments }),
  );
}
