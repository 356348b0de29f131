import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { isSaving, keepSetting } from './api';

/** Updates the settings on live events while mounted. */
export function useSettingEvents() {
  const client = useQueryClient();
  useCompanyEvent('settings', ({ setting }) => {
    if (!isSaving(client, setting.key)) keepSetting(client, setting);
  });
}
