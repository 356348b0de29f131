export const MOST_NUMBERS = 5;

const SEPARATORS = /[,;\n]/;

/** Reads the numbers of a text, separated by commas, semicolons or lines; without duplicates. */
export const numbersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(SEPARATORS)
      .map((each) => each.replace(/\D/g, ''))
      .filter(Boolean),
  ),
];

export type NumbersFault = 'none' | 'many' | 'short';

/** The error of the numbers for a test send. */
export function faultOf(numbers: readonly string[]): NumbersFault | null {
  if (numbers.length === 0) return 'none';
  if (numbers.length > MOST_NUMBERS) return 'many';
  return numbers.every(({ length }) => length >= 8 && length <= 15) ? null : 'short';
}
