import { expect, test } from 'vitest';
import { foldMention, type Mention } from './api';
import { makeActivity, makeTicket } from './testData';

const mention = (id: number, ticketId = 50): Mention => ({
  id,
  seen: false,
  note: { ...makeActivity(id + 100, 1), kind: 'noted' },
  messageId: null,
  ticket: makeTicket({ id: ticketId }),
});

test('a new mention comes first and once, is seen with its ticket, and goes with its note', () => {
  const before = { mentions: [mention(1), mention(2, 51)] };
  const created = foldMention(before, { action: 'create', mention: mention(3) });
  expect(created.mentions.map(({ id }) => id)).toEqual([3, 1, 2]);
  expect(foldMention(created, { action: 'create', mention: mention(3) }).mentions).toHaveLength(3);
  const seen = foldMention(created, { action: 'seen', ticketId: 50 });
  expect(seen.mentions.map((each) => each.seen)).toEqual([true, true, false]);
  const left = foldMention(seen, { action: 'delete', noteId: 101 });
  expect(left.mentions.map(({ id }) => id)).toEqual([3, 2]);
});
