import { expect, test } from 'vitest';
import type { FromEncoder } from './mp3.worker';
import { answersOf, isTooShort, RecordingRefused, refusalOfError } from './recording';

test('a recording below 10,000 bytes is none', () => {
  expect(isTooShort(9_999)).toBe(true);
  expect(isTooShort(10_000)).toBe(false);
});

test('every way in which a browser refuses has a word', () => {
  const named = (name: string) => refusalOfError(new DOMException('', name));
  expect(named('NotAllowedError')).toBe('denied');
  expect(named('NotFoundError')).toBe('missing');
  expect(named('NotReadableError')).toBe('busy');
  expect(named('Whatever')).toBe('failed');
  expect(refusalOfError(new RecordingRefused('insecure'))).toBe('insecure');
  expect(refusalOfError('text')).toBe('failed');
});

test('who sends while the sound so far is on its way loses neither; a failure ends both', async () => {
  const worker = { onmessage: null, onerror: null } as Pick<Worker, 'onmessage' | 'onerror'>;
  const tell = (data: FromEncoder) => {
    worker.onmessage?.call(worker as Worker, new MessageEvent('message', { data }));
  };
  const answer = answersOf(worker);
  const soFar = answer('soFar');
  const done = answer('done');
  tell({ kind: 'soFar', parts: [] });
  tell({ kind: 'done', parts: [] });
  expect((await soFar).kind).toBe('soFar');
  expect((await done).kind).toBe('done');

  const never = [answer('soFar'), answer('done')];
  tell({ kind: 'failed' });
  for (const each of await Promise.allSettled(never)) expect(each.status).toBe('rejected');
});
