import { chakra } from '@chakra-ui/react';
import { ChevronDown, ChevronsUp, ChevronUp, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Priority } from './types';

const MARKS: Record<Exclude<Priority, 'normal'>, { Icon: LucideIcon; color: string }> = {
  urgent: { Icon: ChevronsUp, color: 'status.danger.fg' },
  high: { Icon: ChevronUp, color: 'status.waiting.fg' },
  low: { Icon: ChevronDown, color: 'fg.muted' },
};

/** The sign of a priority that is not normal, which has none. */
export function PriorityMark({ priority }: { priority: Priority | undefined }) {
  const { t } = useTranslation('inbox');
  if (!priority || priority === 'normal') return null;
  const { Icon, color } = MARKS[priority];
  const label = t('priority.of', { name: t(`priority.${priority}`) });
  return (
    <chakra.span
      role="img"
      aria-label={label}
      title={label}
      display="inline-flex"
      flexShrink="0"
      color={color}
    >
      <Icon size={16} strokeWidth={2.25} aria-hidden />
    </chakra.span>
  );
}
