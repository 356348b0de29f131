import { useTranslation } from 'react-i18next';
import { formatTime } from '@/lib/format';
import type { Presence } from './types';

/** A presence in words, of a pause with its reason and its end. */
export function usePresenceWords() {
  const { t } = useTranslation('shell');
  return ({ presence, reason, until }: Presence): string => {
    if (presence !== 'paused') return t(`presence.${presence}`);
    const time = until === null ? '' : formatTime(until);
    if (reason) return t('presence.pausedFor', { reason, time });
    return t('presence.pausedUntil', { time });
  };
}
