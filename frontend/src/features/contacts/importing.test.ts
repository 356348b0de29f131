import { expect, test } from 'vitest';
import { foldImport } from './importing';
import type { ContactImport } from './types';

const made = (change: Partial<ContactImport>): ContactImport => ({
  id: 7,
  status: 'running',
  fileName: 'contatos.csv',
  rowsCount: 100,
  rowsRead: 50,
  createdCount: 40,
  existingCount: 10,
  filledCount: 5,
  failedCount: 0,
  errorCode: null,
  user: { id: 1, name: 'Bia' },
  createdAt: '2026-03-02T12:00:00Z',
  finishedAt: null,
  ...change,
});

test('takes what is newer or further on', () => {
  const cached = made({});
  expect(foldImport(null, cached)).toBe(cached);
  for (const told of [
    made({ rowsRead: 60 }),
    made({ status: 'canceled' }),
    made({ id: 8, status: 'waiting', rowsRead: 0 }),
  ])
    expect(foldImport(cached, told)).toBe(told);
});

test('keeps what is newer or further on', () => {
  const cached = made({});
  for (const told of [made({ rowsRead: 40 }), made({ status: 'waiting', rowsRead: 0 })])
    expect(foldImport(cached, told)).toBe(cached);
  expect(foldImport(cached, made({ id: 6, status: 'done' }))).toBe(cached);
  const done = made({ status: 'done', rowsRead: 100 });
  expect(foldImport(done, cached)).toBe(done);
});
