import { beforeEach, expect, test, vi } from 'vitest';
import { confirmUnsent, setUnsentOfTickets, useUnsent } from './unsent';

const waiting = { ticketId: 50, text: 'oi', isFailed: false, waits: true };
const moving = { ...waiting, waits: false };
const settled = () => vi.waitFor(() => expect(useUnsent.getState().question).not.toBeNull());

beforeEach(() => useUnsent.setState(useUnsent.getInitialState(), true));

test('nothing unsent asks nothing', async () => {
  setUnsentOfTickets([{ ...waiting, ticketId: 51 }]);
  expect(await confirmUnsent('resolve', 50)).toBe(true);
  expect(useUnsent.getState().question).toBeNull();
});

test.each([true, false])('what waits asks, and the answer is %s', async (goesOn) => {
  setUnsentOfTickets([waiting, { ...waiting, isFailed: true, waits: false }]);
  const answer = confirmUnsent('transfer', 50);
  await settled();
  const { question } = useUnsent.getState();
  expect(question).toMatchObject({ leaving: 'transfer', count: 2 });
  question?.answer(goesOn);
  expect(await answer).toBe(goesOn);
  expect(useUnsent.getState().question).toBeNull();
});

test('signing out asks about all conversations and chats', async () => {
  setUnsentOfTickets([waiting, { ...waiting, ticketId: 51 }]);
  useUnsent.setState({ chats: 1 });
  void confirmUnsent('logout');
  await settled();
  expect(useUnsent.getState().question?.count).toBe(3);
});

test('a message that is just being sent is waited for', async () => {
  setUnsentOfTickets([moving]);
  const answer = confirmUnsent('resolve', 50);
  setUnsentOfTickets([]);
  expect(await answer).toBe(true);
});
