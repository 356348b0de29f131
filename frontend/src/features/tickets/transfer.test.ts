import { expect, test } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { makeUser } from '@/test/user';
import { fieldError, queueFor, queuesOf, seesTicket, statusFor } from './transfer';

const SALES = { id: 1, name: 'Vendas' };
const MONEY = { id: 2, name: 'Financeiro' };
const STOCK = { id: 3, name: 'Estoque' };
const ALL = [SALES, MONEY, STOCK];

const person = (role: 'user' | 'admin', ...queues: { id: number; name: string }[]) => ({
  seesAll: role === 'admin',
  queues: queues as never[],
});

test('a ticket without a person may go to every queue, with one to theirs', () => {
  expect(queuesOf(null, ALL)).toEqual(ALL);
  expect(queuesOf(person('user', MONEY), ALL)).toEqual([MONEY]);
  expect(queuesOf(person('user'), ALL)).toEqual([]);
  expect(queuesOf(person('admin', MONEY, STOCK), ALL)).toEqual([MONEY, STOCK]);
  expect(queuesOf(person('admin'), ALL)).toEqual(ALL);
});

test('the only queue of the chosen person is chosen', () => {
  expect(queueFor(person('user', MONEY), '', 1)).toBe('2');
  expect(queueFor(person('user', MONEY), '3', 1)).toBe('2');
});

test('a closed ticket passed on opens with its new holder, or waits', () => {
  expect(statusFor({ status: 'closed' }, 7)).toBe('open');
  expect(statusFor({ status: 'closed' }, null)).toBe('pending');
  expect(statusFor({ status: 'open' }, null)).toBe('pending');
  expect(statusFor({ status: 'open' }, 7)).toBeUndefined();
});

test('of several, what was chosen stays, else the ticket stays in its queue', () => {
  const both = person('user', SALES, MONEY);
  expect(queueFor(both, '2', 1)).toBe('2');
  expect(queueFor(both, '3', 1)).toBe('1');
  expect(queueFor(both, '', null)).toBe('');
  expect(queueFor(person('admin'), '3', 1)).toBe('3');
});

test('a refusal is told at the field that it names', () => {
  const refusal = new ApiError(400, 'ERR_VALIDATION', 'Não.', { userId: ['Desativado.'] });
  expect(fieldError(refusal, 'userId')).toBe('Desativado.');
  expect(fieldError(refusal, 'queueId')).toBeUndefined();
  const gone = new ApiError(404, 'ERR_NO_USER_FOUND', 'x', { userId: ['x'] });
  expect(fieldError(gone, 'userId')).toBe('Nenhum usuário encontrado com este identificador.');
  expect(fieldError(new Error('x'), 'userId')).toBeUndefined();
});

test('who holds it, works in its queue, leads, or may look, still sees a ticket', () => {
  const ticket = { status: 'open' as const, userId: 5, queueId: 2 };
  const base = makeUser({ id: 9, profile: 'user' });
  const plain = { ...base, company: { ...base.company, settings: [] } };
  expect(seesTicket(ticket, plain)).toBe(false);
  expect(seesTicket({ ...ticket, userId: 9 }, plain)).toBe(true);
  expect(seesTicket(ticket, { ...plain, granted: ['tickets:seeAll'] })).toBe(true);
  expect(seesTicket(ticket, { ...plain, queues: [MONEY] as never[] })).toBe(true);
  const settings = [{ key: 'allowToSpyMessage', value: 'enabled' }] as never[];
  expect(seesTicket(ticket, { ...plain, company: { ...plain.company, settings } })).toBe(true);
});
