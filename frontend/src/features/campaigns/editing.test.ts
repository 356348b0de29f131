import { expect, test } from 'vitest';
import { isEditable, isSavable, isStartable, wallClock } from './editing';
import { makeCampaign } from './testData';

const now = new Date('2026-11-10T12:00:00Z');
const planned = (scheduledAt: string) => makeCampaign({ status: 'PROGRAMADA', scheduledAt });

test('one is editable while inactive, and planned until an hour before its time', () => {
  expect(isEditable(makeCampaign(), now)).toBe(true);
  expect(isEditable(planned('2026-11-10T13:00:01Z'), now)).toBe(true);
  expect(isEditable(planned('2026-11-10T13:00:00Z'), now)).toBe(false);
});

test.each(['EM_ANDAMENTO', 'FINALIZADA'] as const)('%s is read-only', (status) => {
  expect(isSavable(makeCampaign({ status }), now)).toBe(false);
  expect(isStartable(makeCampaign({ status }))).toBe(false);
});

test('a cancelled one is saved, not edited whole', () => {
  const cancelled = makeCampaign({ status: 'CANCELADA' });
  expect(isSavable(cancelled, now)).toBe(true);
  expect(isEditable(cancelled, now)).toBe(false);
});

test("a time is told on the company's clock", () => {
  const moment = new Date('2026-11-10T02:05:09Z');
  expect(wallClock(moment, 'America/Sao_Paulo')).toBe('2026-11-09 23:05:09');
  expect(wallClock(moment, 'America/Manaus')).toBe('2026-11-09 22:05:09');
});
