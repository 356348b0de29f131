import { VARIABLES } from '@/lib/variables';

/** The placeholders in a text that are no known variables, as written and without duplicates. */
export function unknownVariables(text: string): string[] {
  const found = [...text.matchAll(/\{\{\s*([\p{L}\p{N}_]+)\s*\}\}/gu)];
  const known: readonly string[] = VARIABLES;
  return [...new Set(found.filter(([, name = '']) => !known.includes(name)).map(([all]) => all))];
}
