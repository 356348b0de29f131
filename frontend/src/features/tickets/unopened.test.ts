import { expect, test } from 'vitest';
import { isHandedOver, isUnread } from './unopened';

const ticket = { unreadMessages: 0, handedOver: true, handedOverById: 7 };

test('a ticket that was handed over is unread for everybody but who did it', () => {
  expect(isHandedOver(ticket, 8)).toBe(true);
  expect(isHandedOver(ticket, 7)).toBe(false);
  expect(isHandedOver({ ...ticket, handedOverById: null }, 7)).toBe(true);
  expect(isUnread(ticket, 8)).toBe(true);
  expect(isUnread(ticket, 7)).toBe(false);
  expect(isUnread({ ...ticket, unreadMessages: 2 }, 7)).toBe(true);
  expect(isUnread({ ...ticket, handedOver: false, handedOverById: null }, 8)).toBe(false);
});
