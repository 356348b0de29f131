import { expect, test } from 'vitest';
import { restored, tasksOf, withDone, without, withTask, withText } from './list';

const words = (tasks: ReturnType<typeof tasksOf>) => tasks.map(({ text }) => text);
const both = withTask(withTask([], ' Ligar para a Rita ', 1), 'Repor vasos', 2);

test('a task is added without the blanks around it', () => {
  expect(words(both)).toEqual(['Ligar para a Rita', 'Repor vasos']);
  expect(both[0]).toMatchObject({ done: false, createdAt: 1, updatedAt: 1 });
});

test('a changed text tells when; a tick does not', () => {
  const id = both[0]?.id ?? '';
  expect(withText(both, id, 'Ligar para a Zilda', 9)[0]).toMatchObject({
    text: 'Ligar para a Zilda',
    createdAt: 1,
    updatedAt: 9,
  });
  expect(withDone(both, id, true)[0]).toMatchObject({ done: true, updatedAt: 1 });
});

test('what another tab deleted while it was changed comes back', () => {
  const [first] = both;
  const left = without(both, first ? [first] : []);
  expect(words(left)).toEqual(['Repor vasos']);
  expect(words(withText(left, first?.id ?? '', 'Ligar já', 9))).toEqual([
    'Repor vasos',
    'Ligar já',
  ]);
});

test('what was deleted comes back where it stood, once', () => {
  const gone = both.slice(0, 1);
  expect(words(restored(without(both, gone), gone))).toEqual(words(both));
  expect(words(restored(both, gone))).toEqual(words(both));
});

test('what is stored is read with care', () => {
  expect(tasksOf(JSON.stringify(both))).toEqual(both);
  expect(tasksOf(JSON.stringify([null, 3, { text: 'sem id' }, both[1]]))).toEqual([both[1]]);
  for (const odd of [null, '', '{', '{}', '"x"']) expect(tasksOf(odd)).toEqual([]);
});
