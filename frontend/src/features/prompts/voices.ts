/** Answers in text. */
export const TEXT = 'texto';

const PEOPLE = [
  ['Francisca', 'Antonio', 'Brenda', 'Donato', 'Elza', 'Fabio', 'Giovanna', 'Humberto'],
  ['Julio', 'Leila', 'Leticia', 'Manuela', 'Nicolau', 'Valerio', 'Yara'],
].flat();

/** Azure's Brazilian voices (rules/automation §8), by their people's names. */
export const VOICES = PEOPLE.map((name) => ({ value: `pt-BR-${name}Neural`, name }));
