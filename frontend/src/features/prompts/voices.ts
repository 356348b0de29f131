/** The bot answers in text, without a voice. */
export const TEXT = 'texto';

const PEOPLE = [
  ['Francisca', 'Antonio', 'Brenda', 'Donato', 'Elza', 'Fabio', 'Giovanna', 'Humberto'],
  ['Julio', 'Leila', 'Leticia', 'Manuela', 'Nicolau', 'Valerio', 'Yara'],
].flat();

/** Azure's Brazilian voices (rules/automation §8). */
export const VOICES = PEOPLE.map((name) => ({ value: `pt-BR-${name}Neural`, name }));
