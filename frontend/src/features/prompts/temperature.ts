/** From which temperature on which word. */
const WORDS = [
  [1.5, 'wild'],
  [0.9, 'creative'],
  [0.4, 'balanced'],
  [0, 'precise'],
] as const;

export const temperatureWord = (value: number) =>
  WORDS.find(([from]) => value >= from)?.[1] ?? 'precise';
