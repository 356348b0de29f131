import { useTranslation } from 'react-i18next';
import { i18n } from '@/i18n';
import { FIELDS, KINDS_OF_ACTIONS, KINDS_OF_IDS } from './catalogue';
import { groupOf, isCheck, nameKey } from './form';
import { spanOf } from '../deadlines/form';
import type { Action, Check, Condition, NamedKind, Rule, Trigger } from './types';

/** The names of rows by `nameKey`. */
export type Names = ReadonlyMap<string, string>;

/** The most that a sentence shows of a text. */
const LONGEST = 60;

const short = (text: string) => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
};

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Rules and macros as sentences that a shop owner reads. Each part is also a part of the editor. */
export function useWords(names: Names) {
  const { t } = useTranslation('rules');

  const listed = (words: readonly string[], type: 'disjunction' | 'conjunction' = 'disjunction') =>
    new Intl.ListFormat(i18n.language, { type }).format(words);

  const named = (kind: NamedKind, id: number) => names.get(nameKey(kind, id)) ?? t('gone');

  const span = (minutes: number) => {
    const { count, unit } = spanOf(minutes);
    return t(`span.${unit}`, { count: Number(count) });
  };

  /** The parts of a trigger after what it is, by the name of their chooser. */
  const trigger = {
    when: ({ when }: Trigger) => t(`whens.${when}`),
    ids: ({ when, ids = [] }: Trigger) => {
      const kind = KINDS_OF_IDS[when] ?? 'tag';
      const word = when === 'lane_changed' ? 'lane' : kind;
      if (ids.length === 0) return t(`any.${word}`);
      return t(`named.${word}`, { names: listed(ids.map((id) => named(kind, id))) });
    },
    span: ({ minutes = 0 }: Trigger) => span(minutes),
    hours: ({ inHours = false }: Trigger) => t(`inHours.${inHours}`),
    kind: ({ kind }: Trigger) => t(`kinds.${kind || 'any'}`),
    step: ({ step = 'due' }: Trigger) => t(`steps.${step}`),
  };

  const whenSentence = (each: Trigger) =>
    triggerParts(each)
      .map((part) => trigger[part](each))
      .join(' ');

  const check = {
    field: ({ field, name }: Check) =>
      field === 'contactField' && name
        ? `${t('fields.contactField')} ${name}`
        : t(`fields.${field}`),
    operator: ({ field, operator }: Check, isNot: boolean) => {
      const word = isNot ? `${operator}Not` : operator;
      const key = operator === 'is' && isNot ? 'isNot' : word;
      return t([`operators.${field}.${key}`, `operators.default.${key}`]);
    },
    values: ({ field, values = [] }: Check) => {
      if (values.length === 0) return t('choose.value');
      switch (FIELDS[field].values) {
        case 'ids':
          return listed(values.map((id) => named(field as NamedKind, Number(id))));
        case 'words':
          return listed(values.map((word) => t([`fieldWords.${field}.${word}`, `words.${word}`])));
        case 'days':
          return listed(values.map((day) => t(`days.${day}`)));
        case 'span':
          return t('hourSpan', { from: clock(Number(values[0])), to: clock(Number(values[1])) });
        default:
          return listed(values.map((text) => t('quoted', { text: short(String(text)) })));
      }
    },
  };

  const checkSentence = (each: Check, isNot: boolean) =>
    [
      check.field(each),
      check.operator(each, isNot),
      ...(each.operator === 'empty' ? [] : [check.values(each)]),
    ].join(' ');

  const ifSentence = (condition: Condition, isInside = false): string => {
    if (isCheck(condition)) return checkSentence(condition, false);
    if ('not' in condition)
      return isCheck(condition.not)
        ? checkSentence(condition.not, true)
        : `${t('parts.not')} ${ifSentence(condition.not, true)}`;
    const { join, parts } = groupOf(condition);
    const word = t(join === 'all' ? 'parts.and' : 'parts.or');
    const sentence = parts.map((part) => ifSentence(part, parts.length > 1)).join(` ${word} `);
    return isInside ? `(${sentence})` : sentence;
  };

  const action = {
    do: (each: Action) => t(`does.${each.do}`),
    id: (each: Action) => {
      const kind = KINDS_OF_ACTIONS[each.do] ?? 'tag';
      if (each.id) return kind === 'quick' ? `/${named(kind, each.id)}` : named(kind, each.id);
      return each.do === 'person' ? t('backToQueue') : t(`choose.${kind}`);
    },
    text: (each: Action) => {
      const text = short(each.text ?? '');
      switch (each.do) {
        case 'tell':
        case 'webhook':
          return text ? t('saying', { text }) : t('sayNothing');
        case 'resolve':
          return text ? t('reason', { text }) : t('noReason');
        default:
          return text ? t('quoted', { text }) : t('choose.text');
      }
    },
    field: ({ name = '', text = '' }: Action) =>
      !name
        ? t('choose.field')
        : text
          ? t('fieldTo', { name, text: short(text) })
          : t('fieldEmpty', { name }),
    template: ({ name, language }: Action) =>
      name ? `${name} (${language})` : t('choose.template'),
    priority: ({ priority }: Action) => t(`words.${priority ?? 'normal'}`),
    tells: ({ tells }: Action) => t(`tells.${tells || 'supervisors'}`),
    span: ({ minutes = 0 }: Action) =>
      minutes ? t('forSpan', { span: span(minutes) }) : t('untilReply'),
  };

  const actionSentence = (each: Action, isMacro: boolean) =>
    actionParts(each, isMacro)
      .map((part) => action[part](each))
      .join(' ');

  const thenSentence = (actions: readonly Action[], isMacro = false) =>
    listed(
      actions.map((each) => actionSentence(each, isMacro)),
      'conjunction',
    );

  const sentence = ({
    trigger: when,
    condition,
    actions,
  }: Pick<Rule, 'trigger' | 'condition' | 'actions'>) => {
    const parts = { when: whenSentence(when), then: thenSentence(actions) };
    return condition
      ? t('sentenceIf', { ...parts, condition: ifSentence(condition) })
      : t('sentence', parts);
  };
  return { trigger, check, action, sentence, thenSentence, actionSentence, named, listed, span };
}

export type TriggerPart = 'when' | 'ids' | 'span' | 'hours' | 'kind' | 'step';

/** The parts of a trigger's sentence, in order. */
export function triggerParts({ when, step }: Trigger): TriggerPart[] {
  if (KINDS_OF_IDS[when]) return ['when', 'ids'];
  if (when === 'we_silent' || when === 'contact_silent') return ['when', 'span', 'hours'];
  if (when === 'window_closes') return ['when', 'span'];
  if (when === 'sla_step')
    return ['when', 'kind', 'step', ...(step === 'after' ? (['span'] as const) : [])];
  return ['when'];
}

export type ActionPart =
  'do' | 'id' | 'text' | 'field' | 'template' | 'priority' | 'tells' | 'span';

/** The parts of an action's sentence, in order. */
export function actionParts({ do: what }: Action, isMacro: boolean): ActionPart[] {
  switch (what) {
    case 'tell':
      return ['do', 'tells', 'text'];
    case 'send_text':
    case 'note':
    case 'webhook':
      return ['do', 'text'];
    case 'send_template':
      return ['do', 'template'];
    case 'priority':
      return ['do', 'priority'];
    case 'contact_field':
      return ['do', 'field'];
    case 'snooze':
      return ['do', 'span'];
    case 'resolve':
      return isMacro ? ['do', 'text'] : ['do'];
    default:
      return ['do', 'id'];
  }
}
