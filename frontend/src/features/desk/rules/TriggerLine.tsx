import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '@/stores/session';
import { KINDS_OF_IDS, WHENS } from './catalogue';
import { triggerOf } from './form';
import { ManyPanel } from './RowsPanel';
import { Sentence } from './Sentence';
import { ChoiceSlot, Done, PanelSlot, SpanPanel } from './Slot';
import type { LearnNames } from './useLearned';
import { triggerParts, useWords, type Names, type TriggerPart } from './useWords';
import type { Trigger, When } from './types';

interface TriggerLineProps {
  trigger: Trigger;
  names: Names;
  onChange: (trigger: Trigger) => void;
  onLearn: LearnNames;
}

/** 'Quando …': what starts a rule, in words that open choosers. */
export function TriggerLine({ trigger, names, onChange, onLearn }: TriggerLineProps) {
  const { t } = useTranslation('rules');
  const words = useWords(names);
  const isOperator = useCurrentUser().companyId === 1;
  const label = t('parts.when');
  const change = (part: Partial<Trigger>) => onChange({ ...trigger, ...part });
  const kind = KINDS_OF_IDS[trigger.when] ?? 'tag';
  const slots: Record<TriggerPart, () => React.ReactNode> = {
    when: () => (
      <ChoiceSlot
        label={label}
        word={words.trigger.when(trigger)}
        value={trigger.when}
        onChange={(when) => onChange(triggerOf(when as When))}
        groups={WHENS.map(({ group, whens }) => ({
          label: t(`groups.${group}`),
          options: whens
            // Only who operates the service has invoices of customers here.
            .filter((when) => when !== 'invoice_overdue' || isOperator)
            .map((value) => ({ value, label: t(`whens.${value}`) })),
        }))}
      />
    ),
    ids: () => (
      <PanelSlot label={label} word={words.trigger.ids(trigger)}>
        {(close) => (
          <>
            <ManyPanel
              kind={kind}
              value={trigger.ids ?? []}
              onChange={(ids, found) => {
                onLearn(kind, found);
                change({ ids });
              }}
            />
            <Done onClick={close} />
          </>
        )}
      </PanelSlot>
    ),
    span: () => (
      <PanelSlot label={label} word={words.trigger.span(trigger)} width="260px">
        {(close) => (
          <SpanPanel
            minutes={trigger.minutes ?? 0}
            onChange={(minutes) => change({ minutes })}
            onClose={close}
          />
        )}
      </PanelSlot>
    ),
    hours: () => (
      <ChoiceSlot
        label={label}
        word={words.trigger.hours(trigger)}
        value={String(trigger.inHours ?? false)}
        onChange={(value) => change({ inHours: value === 'true' })}
        groups={[
          {
            options: ['true', 'false'].map((value) => ({ value, label: t(`inHours.${value}`) })),
          },
        ]}
      />
    ),
    kind: () => (
      <ChoiceSlot
        label={label}
        word={words.trigger.kind(trigger)}
        value={trigger.kind || 'any'}
        onChange={(value) =>
          change({ kind: value === 'any' ? '' : (value as NonNullable<Trigger['kind']>) })
        }
        groups={[
          {
            options: (['any', 'first_answer', 'next_answer', 'resolution'] as const).map(
              (value) => ({ value, label: t(`kinds.${value}`) }),
            ),
          },
        ]}
      />
    ),
    step: () => (
      <ChoiceSlot
        label={label}
        word={words.trigger.step(trigger)}
        value={trigger.step ?? 'due'}
        onChange={(value) =>
          change({
            step: value as NonNullable<Trigger['step']>,
            minutes: value === 'after' ? 30 : 0,
          })
        }
        groups={[
          {
            options: (['quarter', 'due', 'after'] as const).map((value) => ({
              value,
              label: t(`steps.${value}`),
            })),
          },
        ]}
      />
    ),
  };
  return <Sentence parts={triggerParts(trigger)} slots={slots} />;
}
