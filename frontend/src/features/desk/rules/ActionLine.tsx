import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { TextArea, TextInput } from '@/components/TextInput';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { DOES, KINDS_OF_ACTIONS } from './catalogue';
import { actionOf } from './form';
import { OnePanel } from './RowsPanel';
import { Sentence } from './Sentence';
import { ChoiceSlot, Done, PanelSlot, SpanPanel } from './Slot';
import { TemplatePanel } from './TemplatePanel';
import type { LearnNames } from './useLearned';
import { actionParts, useWords, type ActionPart, type Names } from './useWords';
import { PRIORITIES, type Action, type Do } from './types';

interface ActionLineProps {
  label: string;
  action: Action;
  isMacro: boolean;
  names: Names;
  onChange: (action: Action) => void;
  onLearn: LearnNames;
}

/** One action: what is done, and with what. */
export function ActionLine({ label, action, isMacro, names, onChange, onLearn }: ActionLineProps) {
  const { t } = useTranslation('rules');
  const words = useWords(names);
  const kind = KINDS_OF_ACTIONS[action.do] ?? 'tag';
  const change = (part: Partial<Action>) => onChange({ ...action, ...part });
  const needsText = action.do === 'send_text' || action.do === 'note';
  const slots: Record<ActionPart, () => React.ReactNode> = {
    do: () => (
      <ChoiceSlot
        label={label}
        word={words.action.do(action)}
        value={action.do}
        onChange={(what) => onChange(actionOf(what as Do))}
        groups={DOES.map(({ group, does }) => ({
          label: t(`groups.${group}`),
          options: does.map((value) => ({ value, label: t(`does.${value}`) })),
        }))}
      />
    ),
    id: () => (
      <PanelSlot
        label={label}
        word={words.action.id(action)}
        isMissing={!action.id && action.do !== 'person'}
      >
        {(close) => (
          <OnePanel
            kind={kind}
            value={action.id ?? null}
            {...(action.do === 'person' && { none: t('backToQueue') })}
            onChoose={({ id, name }) => {
              if (id !== null) onLearn(kind, new Map([[id, name]]));
              change({ id });
              close();
            }}
          />
        )}
      </PanelSlot>
    ),
    text: () => (
      <PanelSlot
        label={label}
        word={words.action.text(action)}
        isMissing={needsText && !action.text?.trim()}
        width="360px"
      >
        {(close) => (
          <>
            <TextPanel action={action} onChange={(text) => change({ text })} />
            <Done onClick={close} />
          </>
        )}
      </PanelSlot>
    ),
    field: () => (
      <PanelSlot label={label} word={words.action.field(action)} isMissing={!action.name?.trim()}>
        {(close) => (
          <>
            <Field label={t('chooser.fieldName')}>
              <TextInput
                size="sm"
                maxLength={100}
                value={action.name ?? ''}
                onChange={(event) => change({ name: event.target.value })}
              />
            </Field>
            <Field label={t('chooser.fieldValue')}>
              <TextInput
                size="sm"
                maxLength={1000}
                value={action.text ?? ''}
                onChange={(event) => change({ text: event.target.value })}
              />
            </Field>
            <Done onClick={close} />
          </>
        )}
      </PanelSlot>
    ),
    template: () => (
      <PanelSlot
        label={label}
        word={words.action.template(action)}
        isMissing={!action.name}
        width="360px"
      >
        {(close) => (
          <>
            <TemplatePanel action={action} onChange={onChange} />
            <Done onClick={close} />
          </>
        )}
      </PanelSlot>
    ),
    priority: () => (
      <ChoiceSlot
        label={label}
        word={words.action.priority(action)}
        value={action.priority ?? 'normal'}
        onChange={(value) => change({ priority: value as NonNullable<Action['priority']> })}
        groups={[{ options: PRIORITIES.map((value) => ({ value, label: t(`words.${value}`) })) }]}
      />
    ),
    tells: () => (
      <ChoiceSlot
        label={label}
        word={words.action.tells(action)}
        value={action.tells || 'supervisors'}
        onChange={(value) => change({ tells: value as NonNullable<Action['tells']> })}
        groups={[
          {
            options: (['supervisors', 'holder'] as const).map((value) => ({
              value,
              label: t(`tells.${value}`),
            })),
          },
        ]}
      />
    ),
    span: () => (
      <PanelSlot label={label} word={words.action.span(action)} width="260px">
        {(close) => (
          <SpanPanel
            minutes={action.minutes ?? 0}
            none={t('chooser.reply')}
            onChange={(minutes) => change({ minutes })}
            onClose={close}
          />
        )}
      </PanelSlot>
    ),
  };
  return <Sentence parts={actionParts(action, isMacro)} slots={slots} />;
}

function TextPanel({ action, onChange }: { action: Action; onChange: (text: string) => void }) {
  const { t } = useTranslation('rules');
  const text = action.text ?? '';
  const { areaRef, insert } = useInsertion(text, onChange);
  return (
    <>
      <TextArea
        ref={areaRef}
        rows={4}
        maxLength={4096}
        aria-label={t('chooser.message')}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {action.do === 'send_text' && <VariableChips onPick={insert} />}
    </>
  );
}
