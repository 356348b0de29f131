export const MOST_NUMBERS = 5;

const SEPARATORS = /[,;\n]/;

/** The numbers of a text, each once, by commas, semicolons or lines. */
export const numbersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(SEPARATORS)
      .map((each) => each.replace(/\D/g, ''))
      .filter(Boolean),
  ),
];

export type NumbersFault = 'none' | 'many' | 'short';

/** What is wrong with the numbers of a test send. */
export function faultOf(numbers: readonly string[]): NumbersFault | null {
  if (numbers.length === 0) return 'none';
  if (numbers.length > MOST_NUMBERS) return 'many';
  return numbers.every(({ length }) => length >= 8 && length <= 15) ? null : 'short';
}
