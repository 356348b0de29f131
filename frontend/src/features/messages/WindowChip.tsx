import { chakra } from '@chakra-ui/react';
import { Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { timeLeft } from './rules';
import { useWindowClock } from './templates/useWindowClock';

/**
 * Shows how long free text may still be sent to an official number, once less than two hours are
 * left. It updates itself.
 */
export function WindowChip({ closesAt }: { closesAt: number }) {
  const { t } = useTranslation('messages');
  const left = timeLeft(closesAt, useWindowClock(closesAt));
  if (!left?.soon) return null;
  const { hours, minutes } = left;
  const time = hours > 0 ? t('window.hours', { hours, minutes }) : t('window.minutes', { minutes });
  return (
    <Badge
      tone="waiting"
      flexShrink="0"
      gap="1"
      h="6"
      title={`${t('window.soon', { time })}. ${t('window.help')}`}
    >
      <Clock size={14} aria-hidden />
      <span aria-hidden>{time}</span>
      <chakra.span srOnly>{t('window.soon', { time })}</chakra.span>
    </Badge>
  );
}
