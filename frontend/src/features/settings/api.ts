import {
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { ScheduleRow } from '@/lib/hours';
import { changeQueries } from '@/lib/queryClient';
import { useSession } from '@/stores/session';
import { foldSetting } from './fold';
import type { CompanyHours, Setting, SettingKey } from './types';

const settingsKey = ['settings'] as const;

/** All settings of the company, including defaults; the value of a stored secret is a mask. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: settingsKey,
    queryFn: ({ signal }) => api.get<Setting[]>('/settings', undefined, signal),
  });

/** A setting's current value; from the session while the list is loading. */
export function useSetting(key: SettingKey): string {
  const { data } = useQuery(settingsQuery());
  const atLogin = useSession((state) => state.user?.company.settings);
  return (data ?? atLogin)?.find((setting) => setting.key === key)?.value ?? '';
}

const saveSetting = ({ key, value }: Setting) =>
  api.put<Setting>(`/settings/${key}`, { key, value });

/** Writes a setting's new value to the cached list and to the session. */
export function keepSetting(client: QueryClient, setting: Setting) {
  changeQueries<Setting[]>(client, settingsKey, (settings) => foldSetting(settings, setting));
  const { user } = useSession.getState();
  if (!user) return;
  const settings = foldSetting(user.company.settings, setting);
  if (settings !== user.company.settings)
    useSession.setState({ user: { ...user, company: { ...user.company, settings } } });
}

const savingKey = (key: string) => [...settingsKey, 'save', key];

/** Whether this setting is being saved: events that arrive meanwhile may be older. */
export const isSaving = (client: QueryClient, key: string) =>
  client.isMutating({ mutationKey: savingKey(key) }) > 0;

/**
 * Changes one setting. Changes of one key are sent one after another. Show `variables` while the
 * mutation is pending, and the server's value afterwards.
 */
export function useSaveSetting(key: SettingKey) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: savingKey(key),
    scope: { id: `setting ${key}` },
    mutationFn: (value: string) => saveSetting({ key, value }),
    onSuccess: (setting) => {
      // Only the last of several pending changes updates the cache.
      if (client.isMutating({ mutationKey: savingKey(key) }) === 1) keepSetting(client, setting);
    },
    // Events about this setting were ignored during the save.
    onSettled: () => void client.invalidateQueries({ queryKey: settingsKey }),
  });
}

/** Resets a setting to its default, for example to delete a secret. */
export function useForgetSetting(key: SettingKey) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `setting ${key}` },
    mutationFn: () => api.delete<Setting>(`/settings/${key}`),
    onSuccess: (setting) => keepSetting(client, setting),
  });
}

/** The company with its working hours. */
export const hoursQuery = (companyId: number) =>
  queryOptions({
    queryKey: ['companies', companyId, 'schedules'],
    queryFn: ({ signal }) =>
      api.get<CompanyHours>(`/companies/${companyId}/schedules`, undefined, signal),
  });

/** Replaces the company's working hours. */
export function useSaveHours(companyId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (schedules: ScheduleRow[]) =>
      api.put<CompanyHours>(`/companies/${companyId}/schedules`, { schedules }),
    onSuccess: (company) => client.setQueryData(hoursQuery(companyId).queryKey, company),
  });
}
