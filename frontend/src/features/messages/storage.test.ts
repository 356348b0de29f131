import { expect, test } from 'vitest';
import { newClientId } from '@/lib/clientId';
import { refusalOf } from '@/lib/files';
import { peaksOf } from './content/useWaveform';
import { readDraft, writeDraft } from './drafts';
import { makeMessage } from './testData';

test('a draft belongs to a person and a ticket and goes once the server has it empty', () => {
  writeDraft(7, 50, { text: 'olá' });
  expect(readDraft(7, 50).text).toBe('olá');
  expect(readDraft(8, 50).text).toBe('');
  expect(readDraft(7, 51).text).toBe('');
  writeDraft(7, 50, { text: '' });
  expect(readDraft(7, 50).text).toBe('');
  writeDraft(7, 50, { isSaved: true });
  expect(localStorage.getItem('drafts')).toBe('{}');
});

test('the message that is answered to and the files of quick messages are kept with the text', () => {
  const stored = { quickMessageId: 1, mediaPath: 'x', name: 'a.pdf', mime: 'a/b', size: 3 };
  writeDraft(7, 50, { reply: makeMessage(9) });
  writeDraft(7, 50, { text: 'olá', stored: [stored] });
  expect(readDraft(7, 50)).toEqual({ text: 'olá', reply: makeMessage(9), stored: [stored] });
  writeDraft(7, 50, { text: '', stored: [] });
  expect(readDraft(7, 50).reply?.id).toBe(9);
  writeDraft(7, 50, { reply: null, isSaved: true });
  expect(localStorage.getItem('drafts')).toBe('{}');
});

test('old drafts and those beyond a hundred are cleaned up', () => {
  writeDraft(7, 1, { text: 'velho' }, Date.now() - 31 * 86_400_000);
  for (let ticket = 2; ticket < 110; ticket += 1)
    writeDraft(7, ticket, { text: 'x' }, Date.now() + ticket);
  expect(readDraft(7, 1).text).toBe('');
  expect(readDraft(7, 9).text).toBe('');
  expect(readDraft(7, 10).text).toBe('x');
});

test('broken storage is an empty one', () => {
  localStorage.setItem('drafts', '{');
  expect(readDraft(7, 50).text).toBe('');
});

const file = (name: string, type: string, size: number) => {
  const made = new File(['x'], name, { type });
  Object.defineProperty(made, 'size', { value: size });
  return made;
};
const MB = 1024 * 1024;

test('files are refused as the server would', () => {
  expect(refusalOf(file('a.png', 'image/png', 5 * MB))).toBeNull();
  expect(refusalOf(file('a.png', 'image/png', 5 * MB + 1))).toMatchObject({ limit: 5 });
  expect(refusalOf(file('a.mp4', 'video/mp4', 17 * MB))).toMatchObject({ limit: 16 });
  expect(refusalOf(file('a.pdf', 'application/pdf', 99 * MB))).toBeNull();
  expect(refusalOf(file('a.EXE', '', 10))).toMatchObject({ reason: 'forbidden' });
  expect(refusalOf(file('a.svg', 'image/svg+xml', 10))).toMatchObject({ reason: 'forbidden' });
  expect(refusalOf(file('a.txt', 'text/plain', 0))).toMatchObject({ reason: 'empty' });
});

test('client ids are random UUIDs of version 4', () => {
  expect(newClientId()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(newClientId()).not.toBe(newClientId());
});

test('a waveform is as loud as the sound', () => {
  expect(peaksOf(new Float32Array([0, 0.1, -0.5, 0.2]), 2)).toEqual([
    expect.closeTo(0.2),
    expect.closeTo(1),
  ]);
});
