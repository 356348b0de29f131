import { useTranslation } from 'react-i18next';

/** Names weekdays, 1 for Monday. */
export function useWeekday() {
  const { i18n } = useTranslation();
  return (number: number, length: 'long' | 'short' = 'long'): string => {
    // 1 June 2026 was a Monday.
    const day = new Date(2026, 5, number);
    return new Intl.DateTimeFormat(i18n.language, { weekday: length }).format(day);
  };
}
