import { FIELDS, FIRST_MINUTES, KINDS_OF_ACTIONS, KINDS_OF_IDS } from './catalogue';
import type {
  Action,
  Check,
  CheckField,
  Condition,
  Do,
  Macro,
  MacroInput,
  NamedKind,
  Rule,
  RuleInput,
  Trigger,
  When,
} from './types';

export const isCheck = (condition: Condition): condition is Check => 'field' in condition;

/** The parts of a group, and how they are joined. */
export function groupOf(condition: { all: Condition[] } | { any: Condition[] }) {
  return 'all' in condition
    ? { join: 'all' as const, parts: condition.all }
    : { join: 'any' as const, parts: condition.any };
}

export const asGroup = (join: 'all' | 'any', parts: Condition[]): Condition =>
  join === 'all' ? { all: parts } : { any: parts };

export function triggerOf(when: When): Trigger {
  const trigger: Trigger = { when };
  const minutes = FIRST_MINUTES[when];
  if (minutes) trigger.minutes = minutes;
  if (when === 'we_silent' || when === 'contact_silent') trigger.inHours = true;
  if (when === 'sla_step') trigger.step = 'due';
  if (KINDS_OF_IDS[when]) trigger.ids = [];
  return trigger;
}

export function checkOf(field: CheckField): Check {
  const { operators } = FIELDS[field];
  const check: Check = { field, operator: operators[0] ?? 'is', values: [] };
  if (field === 'hour') check.values = [18 * 60, 8 * 60];
  if (field === 'contactField') check.name = '';
  return check;
}

export function actionOf(what: Do): Action {
  const action: Action = { do: what };
  if (what === 'tell') action.tells = 'supervisors';
  if (what === 'priority') action.priority = 'high';
  if (what === 'snooze') action.minutes = 60;
  return action;
}

/** A rule as it is edited; its condition is always a group. */
export interface RuleForm {
  name: string;
  isOn: boolean;
  trigger: Trigger;
  condition: Condition;
  actions: Action[];
}

export function formOf(rule: Rule | null): RuleForm {
  if (!rule)
    return {
      name: '',
      isOn: true,
      trigger: triggerOf('we_silent'),
      condition: { all: [] },
      actions: [actionOf('tell')],
    };
  const { name, isOn, trigger, condition, actions } = rule;
  const isGroup = condition && ('all' in condition || 'any' in condition);
  return {
    name,
    // What the product has switched off is on once it is mended.
    isOn: isOn || rule.problem !== '',
    trigger,
    condition: isGroup ? condition : { all: condition ? [condition] : [] },
    actions,
  };
}

/** A condition without empty groups and blank lines of texts; null for none. */
function pruned(condition: Condition): Condition | null {
  if (isCheck(condition)) {
    const { values } = condition;
    return values
      ? { ...condition, values: values.filter((value) => String(value).trim()) }
      : condition;
  }
  if ('not' in condition) {
    const part = pruned(condition.not);
    return part && { not: part };
  }
  const { join, parts } = groupOf(condition);
  const kept = parts.map(pruned).filter((part) => part !== null);
  return kept.length > 0 ? asGroup(join, kept) : null;
}

export const ruleInput = (form: RuleForm): RuleInput => ({
  ...form,
  name: form.name.trim(),
  condition: pruned(form.condition),
});

function checkFault(check: Check): string | null {
  if (check.field === 'contactField' && !check.name?.trim()) return 'faults.contactField';
  if (check.operator === 'empty') return null;
  return check.values?.some((value) => String(value).trim()) ? null : 'faults.check';
}

function conditionFault(condition: Condition): string | null {
  if (isCheck(condition)) return checkFault(condition);
  if ('not' in condition) return conditionFault(condition.not);
  return groupOf(condition).parts.map(conditionFault).find(Boolean) ?? null;
}

const NEEDS_TEXT: readonly Do[] = ['send_text', 'note'];

function actionFault(action: Action): string | null {
  const kind = KINDS_OF_ACTIONS[action.do];
  // Without a person the ticket goes back to its queue.
  if (kind && action.do !== 'person' && !action.id) return `faults.${kind}`;
  if (NEEDS_TEXT.includes(action.do) && !action.text?.trim()) return 'faults.text';
  if (action.do === 'send_template' && !action.name) return 'faults.template';
  if (action.do === 'contact_field' && !action.name?.trim()) return 'faults.contactField';
  return null;
}

export const actionsFault = (actions: readonly Action[]): string | null =>
  actions.length === 0 ? 'faults.actions' : (actions.map(actionFault).find(Boolean) ?? null);

/** The key of what is wrong with a rule; null if it can be saved. */
export function faultOf(form: RuleForm): string | null {
  return conditionFault(form.condition) ?? actionsFault(form.actions);
}

export const macroForm = (macro: Macro | null, mayShare: boolean): MacroInput =>
  macro
    ? {
        name: macro.name,
        shortcut: macro.shortcut,
        isShared: macro.isShared,
        actions: macro.actions,
      }
    : { name: '', shortcut: '', isShared: mayShare, actions: [actionOf('add_tag')] };

/** What rules and macros name, by kind and id, as their rows say it. */
export function namesOf(rows: readonly { names: Rule['names'] }[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ names }) => names.map(({ kind, id, name }) => [nameKey(kind, id), name])),
  );
}

export const nameKey = (kind: NamedKind, id: number) => `${kind} ${id}`;
