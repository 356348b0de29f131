import { VARIABLES } from '@/lib/variables';

/** The placeholders of a text that nothing fills in, as they are written; each once. */
export function unknownVariables(text: string): string[] {
  const found = [...text.matchAll(/\{\{\s*([\p{L}\p{N}_]+)\s*\}\}/gu)];
  const known: readonly string[] = VARIABLES;
  return [...new Set(found.filter(([, name = '']) => !known.includes(name)).map(([all]) => all))];
}
