/** A campaign's texts with the variables filled in, as the server does (rules/campaigns §5). */

import type { OwnVariable } from './types';

const VARIABLE = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}|\{([^{}]+)\}/gu;

/** The variables with a value for each recipient. */
export const PERSONAL = ['nome', 'email', 'numero'] as const;

export interface Person {
  name: string;
  email: string;
  number: string;
}

/** The values for single braces; the company's variables never override a recipient's. */
export const valuesFor = (
  person: Person,
  own: readonly OwnVariable[],
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(own.map(({ key, value }) => [key, value])),
  nome: person.name,
  email: person.email,
  numero: person.number,
});

/**
 * Fills in a text's variables once: braces inside a value are not filled in. Unknown variables
 * become empty in double braces and stay unchanged in single ones.
 */
export const fillText = (
  text: string,
  values: Readonly<Record<string, string>>,
  common: Readonly<Record<string, string>>,
): string =>
  text.replace(VARIABLE, (all, double: string | undefined, single: string | undefined) => {
    if (double !== undefined) return Object.hasOwn(common, double) ? (common[double] ?? '') : '';
    const name = single?.trim() ?? '';
    return Object.hasOwn(values, name) ? (values[name] ?? '') : all;
  });

/**
 * Fills in a template's parameter: it must be one line, and only variables in single braces are
 * filled in.
 */
export const fillParameter = (text: string, values: Readonly<Record<string, string>>): string =>
  fillText(text, values, {}).trim().replace(/\s+/g, ' ');

/** The unknown variable names in single braces, without duplicates. */
export function unknownIn(text: string, own: readonly OwnVariable[]): string[] {
  const known = new Set<string>([...PERSONAL, ...own.map(({ key }) => key)]);
  const found = [...text.matchAll(VARIABLE)].map(([, , single]) => single?.trim() ?? '');
  return [...new Set(found.filter((name) => name && !known.has(name)))];
}
