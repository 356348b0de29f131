import type { Macro, Rule } from './types';

/** Puts a rule in its place among the others. */
export function foldRule(rules: Rule[], rule: Rule): Rule[] {
  const others = rules.filter(({ id }) => id !== rule.id);
  return [...others, rule].sort((one, other) => one.position - other.position || one.id - other.id);
}

export function foldMacro(macros: Macro[], macro: Macro): Macro[] {
  const others = macros.filter(({ id }) => id !== macro.id);
  return [...others, macro].sort((one, other) => one.name.localeCompare(other.name));
}

export const without = <Row extends { id: number }>(rows: Row[], id: number): Row[] =>
  rows.filter((row) => row.id !== id);
