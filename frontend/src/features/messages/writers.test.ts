import { expect, test } from 'vitest';
import { foldWriting, writersAmong, type Writing } from './writers';

const says = (id: number, text: string, second: number) => ({
  writer: { id, name: `Pessoa ${id}` },
  text,
  at: `2026-03-02T12:00:0${second}Z`,
});
const after = (...news: ReturnType<typeof says>[]) => news.reduce<Writing>(foldWriting, new Map());
const viewers = [
  { id: 1, name: 'Pessoa 1' },
  { id: 2, name: 'Pessoa 2' },
];

test('the newest text of each viewer is shown, whatever the order of the events', () => {
  const writing = after(says(1, 'Olá, tudo', 2), says(1, 'Olá', 1), says(2, 'Oi', 1));
  expect(writersAmong(writing, viewers).map(({ text }) => text)).toEqual(['Olá, tudo', 'Oi']);
});

test('who has sent or emptied it, or has left, writes no more', () => {
  const writing = after(says(1, 'Olá', 1), says(2, 'Oi', 1), says(2, '', 2));
  expect(writersAmong(writing, viewers).map(({ writer }) => writer.id)).toEqual([1]);
  expect(writersAmong(writing, viewers.slice(1))).toEqual([]);
});
