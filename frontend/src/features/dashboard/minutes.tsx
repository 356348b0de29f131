import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';

const exact = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });

/** Formats as '6,2' or '23': one decimal below ten minutes. */
export const minutesText = (minutes: number) => (minutes < 10 ? exact : whole).format(minutes);

/** A mean with its unit; '–' for 0, with which the server means none. */
export function Minutes({ value }: { value: number }) {
  const { t } = useTranslation('dashboard');
  if (!value) return <chakra.span color="fg.muted">–</chakra.span>;
  return <>{t('minutes', { value: minutesText(value) })}</>;
}
