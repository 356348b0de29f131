import { expect, test } from 'vitest';
import { namedIn, namesFor, offeredFor, partsOf, termAt } from './mentions';

const ticket = { userId: 7, queueId: 4 };
const trocas = { id: 4, name: 'Trocas', color: '#E0763A' };
const vendas = { id: 5, name: 'Vendas', color: '#2C9A58' };
const person = (id: number, name: string, queues: { id: number }[]) => ({
  id,
  name,
  seesAll: false,
  queues,
});
const camila = person(7, 'Camila', []);
const bruno = person(8, 'Bruno', [vendas]);
const lia = person(9, 'Lia', [trocas]);
const boss = { ...person(1, 'Ana', []), seesAll: true };

const named = (allRead: boolean, ownId = 7) =>
  namesFor(ticket, [camila, bruno, lia, boss], [trocas, vendas], allRead, ownId).map(
    ({ name }) => name,
  );

test('only who may read the conversation is offered, and not who writes', () => {
  expect(named(false)).toEqual(['Lia', 'Ana', 'Trocas']);
  expect(named(false, 1)).toEqual(['Camila', 'Lia', 'Trocas']);
  expect(named(true)).toEqual(['Bruno', 'Lia', 'Ana', 'Trocas', 'Vendas']);
});

test.each([
  ['@', 1, { start: 0, term: '' }],
  ['Oi @li', 6, { start: 3, term: 'li' }],
  ['Oi @Ana Pa', 10, { start: 3, term: 'Ana Pa' }],
  ['Oi @li depois', 6, { start: 3, term: 'li' }],
  ['lia@loja.com', 12, null],
  ['@li\nnova', 8, null],
  ['@li  nova', 9, null],
  ['sem nome', 8, null],
])('in %j with the caret at %i the typed name is %o', (text, caret, found) => {
  expect(termAt(text, caret)).toEqual(found);
});

const names = [
  { kind: 'user' as const, id: 1, name: 'Ana' },
  { kind: 'user' as const, id: 2, name: 'Ana Paula' },
  { kind: 'queue' as const, id: 4, name: 'Trocas' },
];

test('names that begin with what is typed are offered, and none in a sentence', () => {
  expect(offeredFor(names, 'an').map(({ name }) => name)).toEqual(['Ana', 'Ana Paula']);
  expect(offeredFor(names, 'pau').map(({ name }) => name)).toEqual(['Ana Paula']);
  expect(offeredFor(names, 'Ana veja')).toEqual([]);
});

test('each name of the text is mentioned, the longest first, and none that is not there', () => {
  const ids = (text: string) => namedIn(text, names, []).map(({ id }) => id);
  expect(ids('Oi @Ana, veja com @Trocas e @Ana')).toEqual([1, 4]);
  expect(ids('Oi @Ana Paula')).toEqual([2]);
  expect(ids('Oi Ana, @Bruno')).toEqual([]);
});

test('of two with one name the chosen one is mentioned, without a choice both', () => {
  const other = { kind: 'user' as const, id: 9, name: 'Ana' };
  const all = [...names, other];
  expect(namedIn('@Ana', all, [other])).toEqual([other]);
  expect(namedIn('@Ana', all, []).map(({ id }) => id)).toEqual([1, 9]);
});

test('a note is shown in parts, the longest name first', () => {
  expect(partsOf('Oi @Ana Paula e @Ana: lia@loja.com', names)).toEqual([
    { text: 'Oi ', isName: false },
    { text: '@Ana Paula', isName: true },
    { text: ' e ', isName: false },
    { text: '@Ana', isName: true },
    { text: ': lia@loja.com', isName: false },
  ]);
  expect(partsOf('sem menção', [])).toEqual([{ text: 'sem menção', isName: false }]);
});
