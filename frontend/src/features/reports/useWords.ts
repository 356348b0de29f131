import { useTranslation } from 'react-i18next';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Words for times and weekdays. */
export function useWords() {
  const { t, i18n } = useTranslation('reports');

  /** '2 d 3 h', '1 h 20 min', '5 min' or '40 s'; a dash for what never came. */
  function span(seconds: number | null | undefined): string {
    if (seconds === null || seconds === undefined) return '–';
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
  }

  /** The name of a weekday, 1 for Monday. */
  function weekday(number: number, length: 'long' | 'short' = 'long'): string {
    // 1 June 2026 was a Monday.
    const day = new Date(2026, 5, number);
    return new Intl.DateTimeFormat(i18n.language, { weekday: length }).format(day);
  }

  return { span, weekday };
}
