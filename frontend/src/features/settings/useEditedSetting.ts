import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { useSaveSetting, useSetting } from './api';
import type { SettingKey } from './types';

/** Reads and changes one setting; a refused change falls back by itself. */
export function useEditedSetting(key: SettingKey) {
  const { t } = useTranslation('settings');
  const known = useSetting(key);
  const { mutate, status, variables, error } = useSaveSetting(key);
  return {
    /** What to show: the choice on its way, else what the server knows. */
    value: status === 'pending' ? variables : known,
    save: (value: string, onSaved?: () => void) =>
      mutate(value, {
        onSuccess: () => {
          toast.success(t('saved'));
          onSaved?.();
        },
      }),
    /** How the last saving went. */
    status,
    error,
  };
}

export type EditedSetting = ReturnType<typeof useEditedSetting>;
