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

/** All of the company's settings, defaults included; a secret that is set reads as its mask. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: settingsKey,
    queryFn: ({ signal }) => api.get<Setting[]>('/settings', undefined, signal),
  });

/** A setting's value as it is now; while the list is on its way, as the session brought it. */
export function useSetting(key: SettingKey): string {
  const { data } = useQuery(settingsQuery());
  const atLogin = useSession((state) => state.user?.company.settings);
  return (data ?? atLogin)?.find((setting) => setting.key === key)?.value ?? '';
}

const saveSetting = ({ key, value }: Setting) =>
  api.put<Setting>(`/settings/${key}`, { key, value });

/** Puts a setting's new value where it is read: the list, and the session's own copy. */
export function keepSetting(client: QueryClient, setting: Setting) {
  changeQueries<Setting[]>(client, settingsKey, (settings) => foldSetting(settings, setting));
  const { user } = useSession.getState();
  if (!user) return;
  const settings = foldSetting(user.company.settings, setting);
  if (settings !== user.company.settings)
    useSession.setState({ user: { ...user, company: { ...user.company, settings } } });
}

const savingKey = (key: string) => [...settingsKey, 'save', key];

/** Whether a change of this setting is on its way: what the server tells meanwhile is older. */
export const isSaving = (client: QueryClient, key: string) =>
  client.isMutating({ mutationKey: savingKey(key) }) > 0;

/**
 * Changes one setting. Changes of one key are sent one after another; until the last is answered,
 * `variables` is what to show, and afterwards what the server knows.
 */
export function useSaveSetting(key: SettingKey) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: savingKey(key),
    scope: { id: `setting ${key}` },
    mutationFn: (value: string) => saveSetting({ key, value }),
    onSuccess: (setting) => {
      // Of several on their way the last one counts.
      if (client.isMutating({ mutationKey: savingKey(key) }) === 1) keepSetting(client, setting);
    },
    // What others changed meanwhile was not listened to.
    onSettled: () => void client.invalidateQueries({ queryKey: settingsKey }),
  });
}

/** Puts one setting back to its default: how a secret is taken away. */
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
