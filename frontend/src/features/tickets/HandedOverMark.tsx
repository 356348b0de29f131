import { AlarmClock, ArrowLeftRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { Ticket } from './types';

interface HandedOverMarkProps {
  /** What woke the ticket, if that marked it. */
  woken?: Ticket['woken'];
  label: string;
}

/** Marks a ticket that was handed over, or that woke, and was not opened since. */
export function HandedOverMark({ woken, label }: HandedOverMarkProps) {
  const { t } = useTranslation('inbox');
  const words = woken ? t(`woken.${woken}`) : label;
  const Icon = woken ? AlarmClock : ArrowLeftRight;
  return (
    <Badge tone="brand" role="img" aria-label={words} title={words}>
      <Icon size={12} strokeWidth={2.25} aria-hidden />
    </Badge>
  );
}
