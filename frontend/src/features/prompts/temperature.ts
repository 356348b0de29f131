/** The lowest temperature of each word. */
const WORDS = [
  [1.3, 'creative'],
  [0.7, 'balanced'],
  [0, 'precise'],
] as const;

export const temperatureLabel = (value: number) =>
  WORDS.find(([from]) => value >= from)?.[1] ?? 'precise';
