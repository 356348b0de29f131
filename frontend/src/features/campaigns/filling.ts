/** A campaign's texts as a recipient gets them, filled in as the server does (rules/campaigns §5). */

import type { OwnVariable } from './types';

const VARIABLE = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}|\{([^{}]+)\}/gu;

/** What every recipient has of its own. */
export const PERSONAL = ['nome', 'email', 'numero'] as const;

export interface Person {
  name: string;
  email: string;
  number: string;
}

/** The values in single braces; the company's own never hide a person's. */
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
 * The text with its variables filled in, once: what a value says is never filled in. Unknown ones
 * are empty in double braces and stay as they are in single ones.
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

/** A template's parameter, filled in: it takes one line, and of variables those in single braces. */
export const fillParameter = (text: string, values: Readonly<Record<string, string>>): string =>
  fillText(text, values, {}).trim().replace(/\s+/g, ' ');

/** The names in single braces that nothing fills in, each once. */
export function unknownIn(text: string, own: readonly OwnVariable[]): string[] {
  const known = new Set<string>([...PERSONAL, ...own.map(({ key }) => key)]);
  const found = [...text.matchAll(VARIABLE)].map(([, , single]) => single?.trim() ?? '');
  return [...new Set(found.filter((name) => name && !known.has(name)))];
}
