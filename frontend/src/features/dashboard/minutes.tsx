import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';

const exact = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });

/** '6,2' and '23': tenths count as long as there are few minutes. */
export const minutesText = (minutes: number) => (minutes < 10 ? exact : whole).format(minutes);

/** A mean with its unit; '–' where there is none, for which the server says 0. */
export function Minutes({ value }: { value: number }) {
  const { t } = useTranslation('dashboard');
  if (!value) return <chakra.span color="fg.muted">–</chakra.span>;
  return <>{t('minutes', { value: minutesText(value) })}</>;
}
