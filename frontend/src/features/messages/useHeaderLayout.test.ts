import { expect, test } from 'vitest';
import { OF_USERS } from '@/test/user';
import { mayTransfer, type Viewer } from './rules';
import { layoutFor } from './useHeaderLayout';

test('words give way to icons, icons to the menu', () => {
  expect([900, 620, 619, 500, 499, 360].map(layoutFor)).toEqual([
    'words',
    'words',
    'icons',
    'icons',
    'menu',
    'menu',
  ]);
});

test('an open ticket is passed on by its holder or an admin, any other by who may take it', () => {
  const ana: Viewer = { id: 1, granted: OF_USERS, queues: [{ id: 7 }] };
  const bruno: Viewer = { ...ana, id: 2 };
  const admin: Viewer = { ...ana, id: 3, granted: [...OF_USERS, 'tickets:seeAll'], queues: [] };
  const held = { status: 'open' as const, userId: 1, queueId: 7 };
  expect([ana, bruno, admin].map((user) => mayTransfer(held, user))).toEqual([true, false, true]);
  const waiting = { status: 'pending' as const, userId: null, queueId: 7 };
  const foreign: Viewer = { ...bruno, queues: [{ id: 8 }] };
  expect([bruno, foreign].map((user) => mayTransfer(waiting, user))).toEqual([true, false]);
});
