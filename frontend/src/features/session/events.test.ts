import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { isMoreThanPresence, isTakenElsewhere } from './events';

const event = { action: 'update', user: { id: 7, tokenVersion: 4 }, tokenVersion: 4 } as const;

test('a newer login of the same user takes the session', () => {
  expect(isTakenElsewhere(event, 7, 3)).toBe(true);
});

test("one's own login and other users' logins do not", () => {
  expect(isTakenElsewhere(event, 7, 4)).toBe(false);
  expect(isTakenElsewhere(event, 8, 3)).toBe(false);
});

test('a name and the queues belong to the session, the presence does not', () => {
  const known = makeUser();
  const row = makeUser({ online: false });
  expect(isMoreThanPresence({ ...row, online: true }, known)).toBe(false);
  expect(isMoreThanPresence(row, known)).toBe(false);
  expect(isMoreThanPresence({ ...row, name: 'Camila' }, known)).toBe(true);
  const queue = { id: 1, name: 'Vendas', color: '#0f0' };
  const queues = [{ ...queue, UserQueue: { userId: 7, queueId: 1 } }] as never;
  expect(isMoreThanPresence({ ...row, queues }, known)).toBe(true);
});
