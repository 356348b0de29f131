import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Trigger = Schemas['RuleTrigger'];
export type When = Trigger['when'];
export type Action = Schemas['RuleAction'];
export type Do = Action['do'];
export type RuleNames = Schemas['RuleNames'];
export type NamedKind = RuleNames['kind'];
export type RuleRun = Schemas['RuleRun'];
export type RuleRunsPage = Schemas['RuleRunsPage'];
export type Macro = Schemas['Macro'];
export type Rule = Omit<Schemas['Rule'], 'condition'> & { condition: Condition | null };

/** What a check looks at (rules/desk §12). */
export type CheckField =
  | 'status'
  | 'queue'
  | 'person'
  | 'priority'
  | 'tag'
  | 'connection'
  | 'leads'
  | 'kind'
  | 'name'
  | 'number'
  | 'email'
  | 'contactField'
  | 'message'
  | 'media'
  | 'rate'
  | 'hour'
  | 'weekday'
  | 'hours';
export type Operator = 'is' | 'contains' | 'starts' | 'empty' | 'between';

export interface Check {
  field: CheckField;
  operator: Operator;
  values?: (string | number)[];
  /** Of the contact's field. */
  name?: string;
}

/** A tree of checks; the schema has no recursive shapes. */
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Check;

export interface RuleInput {
  name: string;
  isOn: boolean;
  trigger: Trigger;
  condition: Condition | null;
  actions: Action[];
}

export interface MacroInput {
  name: string;
  shortcut: string;
  isShared: boolean;
  actions: Action[];
}

/** What has changed by a run, by the name of the field. */
export interface Changes {
  status?: 'open' | 'pending' | 'closed';
  queue?: number | null;
  person?: number | null;
  priority?: number;
  tags?: number[];
  snoozed?: boolean;
  fields?: Record<string, string>;
}

export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;
