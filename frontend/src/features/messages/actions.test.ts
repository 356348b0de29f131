import { expect, test } from 'vitest';
import { actionsFor, copyableText, type Circumstances } from './actions';
import { makeMessage } from './testData';

const circumstances: Circumstances = {
  canWrite: true,
  capabilities: { edit: true, delete: true, react: true },
  userId: 7,
  isAdmin: false,
  forwards: true,
  now: Date.UTC(2026, 2, 2, 12, 10),
};
const chosen = (changes: Parameters<typeof makeMessage>[1], others: Partial<Circumstances> = {}) =>
  Object.entries(actionsFor(makeMessage(1, changes), { ...circumstances, ...others }))
    .filter(([, can]) => can)
    .map(([name]) => name);

test('what a contact wrote can be answered, never changed', () => {
  expect(chosen({})).toEqual(['reply', 'react', 'forward', 'copy']);
  expect(chosen({}, { forwards: false })).toEqual(['reply', 'react', 'copy']);
});

test('own texts can be edited for a quarter of an hour and taken back', () => {
  const mine = { fromMe: true, ack: 2, userId: 7 };
  expect(chosen(mine)).toEqual(['reply', 'react', 'forward', 'copy', 'edit', 'remove']);
  expect(chosen(mine, { now: Date.UTC(2026, 2, 2, 12, 17) })).not.toContain('edit');
  expect(chosen({ ...mine, userId: 8 })).not.toContain('edit');
  expect(chosen({ ...mine, userId: 8 }, { isAdmin: true })).toContain('edit');
});

test('what the provider cannot do is not offered', () => {
  const official = { capabilities: { edit: false, delete: false, react: true } };
  expect(chosen({ fromMe: true, ack: 2, userId: 7 }, official)).toEqual([
    'reply',
    'react',
    'forward',
    'copy',
  ]);
});

test('a reader may copy, download and pass on', () => {
  const picture = { mediaType: 'image', mediaUrl: '/a.jpg', mediaState: 'ready' } as const;
  expect(chosen({ ...picture, body: 'a', mediaName: 'a' }, { canWrite: false })).toEqual([
    'forward',
    'download',
  ]);
});

test('deleted, failed and unfetched messages offer little', () => {
  expect(chosen({ isDeleted: true })).toEqual([]);
  expect(chosen({ fromMe: true, ack: -1, userId: 7 })).toEqual(['copy']);
  expect(chosen({ mediaType: 'image', mediaState: 'fetching', body: '' })).toEqual([
    'reply',
    'react',
  ]);
  expect(chosen({ mediaType: 'unknown', body: 'unknown' })).toEqual(['reply', 'react']);
});

test('a card has no words to copy', () => {
  expect(copyableText(makeMessage(1, { mediaType: 'vcard', body: 'BEGIN:VCARD' }))).toBe('');
});
