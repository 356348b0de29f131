import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { useSaveSetting, useSetting } from './api';
import type { SettingKey } from './types';

/** Reads and changes one setting; after a refused change it shows the stored value again. */
export function useEditedSetting(key: SettingKey) {
  const { t } = useTranslation('settings');
  const known = useSetting(key);
  const { mutate, status, variables, error } = useSaveSetting(key);
  return {
    /** The value being saved, or the server's value. */
    value: status === 'pending' ? variables : known,
    save: (value: string, onSaved?: () => void) =>
      mutate(value, {
        onSuccess: () => {
          toast.success(t('saved'));
          onSaved?.();
        },
      }),
    /** The status of the last save. */
    status,
    error,
  };
}

export type EditedSetting = ReturnType<typeof useEditedSetting>;
