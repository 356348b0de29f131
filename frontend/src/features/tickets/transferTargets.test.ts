import { beforeEach, expect, test } from 'vitest';
import type { Queue } from '@/features/queues/api';
import type { User } from '@/features/users/api';
import { makeUser } from '@/test/user';
import { recentTargets, rememberTarget, targetKey, targetsFor } from './transferTargets';

const SALES = { id: 1, name: 'Vendas', color: '#3E7BD6' } as Queue;
const MONEY = { id: 2, name: 'Cobrança', color: '#E0763A' } as Queue;
const person = (id: number, name: string, online: boolean, ...queues: Queue[]): User => ({
  ...makeUser(),
  id,
  name,
  email: `${id}@acme.test`,
  profile: 'user',
  seesAll: false,
  online,
  queues: queues as never[],
});
const ANA = person(1, 'Ana Prado', false, SALES);
const BRUNO = person(2, 'Bruno', true, MONEY);
const JOAO = person(3, 'João', true);

const found = (typed: string, recent: string[] = []) =>
  targetsFor([ANA, BRUNO, JOAO], [SALES, MONEY], recent, typed).map(
    ({ name, group }) => `${group}: ${name}`,
  );

beforeEach(() => localStorage.clear());

test('people who are online stand before the others, who serves no queue last, then queues', () => {
  expect(found('')).toEqual([
    'people: Bruno',
    'people: Ana Prado',
    'people: João',
    'queues: Vendas',
    'queues: Cobrança',
  ]);
});

test('what is typed finds names and the people of a queue, without accents', () => {
  expect(found('cobranca')).toEqual(['queues: Cobrança', 'related: Bruno']);
  expect(found('JOAO')).toEqual(['people: João']);
  expect(found('prado vend')).toEqual(['related: Ana Prado']);
  expect(found('ninguém')).toEqual([]);
});

test('the last targets stand first, newest first, where they still exist and fit', () => {
  const recent = ['queue:2', 'user:99', 'user:1'];
  expect(found('', recent).slice(0, 3)).toEqual([
    'recent: Cobrança',
    'recent: Ana Prado',
    'people: Bruno',
  ]);
  expect(found('vendas', recent)).toEqual(['queues: Vendas', 'related: Ana Prado']);
});

test('five targets are remembered, each once, for each user alone', () => {
  const targets = targetsFor([ANA, BRUNO, JOAO], [SALES, MONEY], [], '');
  for (const target of [...targets, ...targets.slice(0, 2)]) rememberTarget(7, target);
  expect(recentTargets(7)).toEqual(['user:1', 'user:2', 'queue:2', 'queue:1', 'user:3']);
  expect(targetKey(targets[0] ?? { kind: 'user', id: 0 })).toBe('user:2');
  expect(recentTargets(8)).toEqual([]);
  localStorage.setItem('transferTargets:7', '{broken');
  expect(recentTargets(7)).toEqual([]);
});
