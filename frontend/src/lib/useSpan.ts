import { useTranslation } from 'react-i18next';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats seconds as '2 d 3 h', '1 h 20 min', '5 min' or '40 s'; a dash for what never came. */
export function useSpan() {
  const { t } = useTranslation();
  return (exact: number | null | undefined): string => {
    if (exact === null || exact === undefined) return '–';
    const seconds = Math.round(exact);
    if (seconds < MINUTE) return t('span.seconds', { seconds });
    if (seconds < HOUR) return t('span.minutes', { minutes: Math.floor(seconds / MINUTE) });
    if (seconds < DAY)
      return t('span.hours', {
        hours: Math.floor(seconds / HOUR),
        minutes: Math.floor((seconds % HOUR) / MINUTE),
      });
    return t('span.days', {
      days: Math.floor(seconds / DAY),
      hours: Math.floor((seconds % DAY) / HOUR),
    });
  };
}
