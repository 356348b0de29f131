import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { isSaving, keepSetting, type Setting } from './api';

interface SettingEvent {
  action: 'update';
  setting: Setting;
}

/** Keeps the settings in step with what others of the company change, while mounted. */
export function useSettingEvents() {
  const client = useQueryClient();
  useCompanyEvent<SettingEvent>('settings', ({ setting }) => {
    if (!isSaving(client, setting.key)) keepSetting(client, setting);
  });
}
