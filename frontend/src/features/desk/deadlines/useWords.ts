import { useTranslation } from 'react-i18next';
import { minutesIn, spanOf } from './form';
import { KINDS, type SlaPolicy, type SlaStep } from './types';

/** Times and steps as sentences that a shop owner reads. */
export function useWords() {
  const { t } = useTranslation('deadlines');

  const span = (minutes: number) => {
    const { count, unit } = spanOf(minutes);
    return t(`span.${unit}`, { count: Number(count) });
  };

  /** 'Na fila Vendas', 'Com a tag VIP', 'Com prioridade urgente'. */
  const scope = ({ priority, tagName, queueName }: SlaPolicy) =>
    priority
      ? t('scope.priority', { name: t(`priorities.${priority}`) })
      : tagName !== null
        ? t('scope.tag', { name: tagName })
        : t('scope.queue', { name: queueName ?? '' });

  const times = (policy: SlaPolicy) =>
    KINDS.flatMap((kind) => {
      const minutes = minutesIn(policy, kind);
      return minutes ? [t(`times.${kind}`, { span: span(minutes) })] : [];
    });

  const step = (each: SlaStep) => {
    const when = t(`when.${each.when}`, {
      kind: t(`kinds.${each.kind}`),
      span: span(each.minutes || 1),
    });
    const what = {
      tell: () => t(`does.tell.${each.tells || 'holder'}`),
      tag: () => t('does.tag', { name: each.tagName ?? '' }),
      priority: () => t('does.priority', { name: t(`priorities.${each.priority ?? 'high'}`) }),
      queue: () => t('does.queue', { name: each.queueName ?? '' }),
      assign: () =>
        each.userName === null ? t('does.back') : t('does.assign', { name: each.userName }),
    }[each.action]();
    return t('sentence', { when, what });
  };
  return { span, scope, times, step };
}
