import { expect, test } from 'vitest';
import { countOf, hitsOf } from './found';
import { makeMessage } from './testData';
import type { FoundMessages, TicketActivity } from './types';

const at = (minute: number) => `2026-03-02T12:${String(minute).padStart(2, '0')}:00Z`;
const said = (id: number, minute: number) => makeMessage(id, { createdAt: at(minute) });
const noted = (id: number, minute: number) => ({ id, createdAt: at(minute) }) as TicketActivity;
const page = (over: Partial<FoundMessages>): FoundMessages => ({
  messages: [],
  notes: [],
  count: 0,
  hasMore: false,
  ...over,
});

test('messages and notes are stepped through in the order of the conversation', () => {
  const pages = [
    page({
      messages: [said(9, 40), said(8, 20)],
      notes: [noted(5, 50), noted(4, 30), noted(3, 10)],
      count: 2,
    }),
  ];
  expect(hitsOf(pages)).toEqual([
    'activity-5',
    'message-9',
    'activity-4',
    'message-8',
    'activity-3',
  ]);
  expect(countOf(pages)).toBe(5);
});

test('a note waits for the messages that are newer', () => {
  const first = page({
    messages: [said(9, 40)],
    notes: [noted(4, 45), noted(3, 10)],
    count: 2,
    hasMore: true,
  });
  expect(hitsOf([first])).toEqual(['activity-4', 'message-9']);
  expect(countOf([first])).toBe(4);
  const second = page({ messages: [said(8, 20)], count: 2 });
  expect(hitsOf([first, second])).toEqual(['activity-4', 'message-9', 'message-8', 'activity-3']);
});

test('notes alone are found as well', () => {
  expect(hitsOf([page({ notes: [noted(4, 30), noted(3, 10)] })])).toEqual([
    'activity-4',
    'activity-3',
  ]);
  expect(hitsOf([])).toEqual([]);
});
