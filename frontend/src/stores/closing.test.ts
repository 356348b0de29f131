import { beforeEach, expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { askClosing, closingRules, useClosing } from './closing';
import { openSession } from './session';

const subject = { contactId: 3, name: 'Lia', isGroup: false };

function withSettings(settings: Record<string, string>) {
  const user = makeUser();
  const rows = Object.entries(settings).map(([key, value]) => ({ key, value }));
  openSession({
    token: 'abc',
    user: { ...user, company: { ...user.company, settings: rows } },
  });
}

beforeEach(() => useClosing.setState({ question: null }));

test('nothing is asked where the company asks for nothing', async () => {
  withSettings({});
  await expect(askClosing(subject)).resolves.toBe('');
  expect(useClosing.getState().question).toBeNull();
});

test('the answer is the reason, and a second question ends the first', async () => {
  withSettings({ closingReasons: 'Vendido\nSem interesse' });
  const first = askClosing(subject);
  expect(useClosing.getState().question?.rules.reasons).toEqual(['Vendido', 'Sem interesse']);
  const second = askClosing(subject);
  await expect(first).resolves.toBeNull();
  useClosing.getState().question?.answer('Vendido');
  await expect(second).resolves.toBe('Vendido');
  expect(useClosing.getState().question).toBeNull();
});

test('a group has no fields to fill in', () => {
  const settings = [{ key: 'closingFields', value: 'email, CPF' }];
  expect(closingRules(settings, false).fields).toEqual(['email', 'CPF']);
  expect(closingRules(settings, true).fields).toEqual([]);
});
