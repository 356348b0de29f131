import { expect, test } from 'vitest';
import {
  attachmentOfStored,
  EMPTY,
  isEmpty,
  shownText,
  withAttachments,
  withoutAttachment,
  withText,
} from './composition';

const file = (id: string) =>
  attachmentOfStored(id, {
    quickMessageId: 1,
    mediaPath: 'x/y.pdf',
    name: `${id}.pdf`,
    mime: 'application/pdf',
    size: 10,
  });

test('a text becomes the caption of the first file, and comes back with the last', () => {
  const written = withText(EMPTY, 'olá');
  const one = withAttachments(written, [file('a'), file('b')]);
  expect(shownText(one)).toBe('olá');
  expect(one.text).toBe('');
  const changed = withText(one, 'olá!');
  expect(changed.attachments.map(({ caption }) => caption)).toEqual(['olá!', '']);
  const without = withoutAttachment(withoutAttachment(changed, 'b'), 'a');
  expect(without).toEqual({ text: 'olá!', attachments: [], selectedId: null });
});

test('each file has a caption of its own, written while it is chosen', () => {
  let now = withAttachments(EMPTY, [file('a'), file('b')]);
  now = withText({ ...now, selectedId: 'b' }, 'segundo');
  now = withText({ ...now, selectedId: 'a' }, 'primeiro');
  expect(now.attachments.map(({ caption }) => caption)).toEqual(['primeiro', 'segundo']);
  expect(shownText({ ...now, selectedId: 'b' })).toBe('segundo');
});

test('the one after a removed file is chosen, or the one before at the end', () => {
  const three = withAttachments(EMPTY, [file('a'), file('b'), file('c')]);
  expect(withoutAttachment({ ...three, selectedId: 'b' }, 'b').selectedId).toBe('c');
  expect(withoutAttachment({ ...three, selectedId: 'c' }, 'c').selectedId).toBe('b');
  expect(withoutAttachment(three, 'c').selectedId).toBe('a');
  expect(withoutAttachment(three, 'nothing')).toBe(three);
});

test('more files come after the first ones and leave the choice alone', () => {
  const one = withText(withAttachments(EMPTY, [file('a')]), 'foto');
  const two = withAttachments(one, [file('b')]);
  expect(two.selectedId).toBe('a');
  expect(two.attachments.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(isEmpty(two)).toBe(false);
  expect(isEmpty(EMPTY)).toBe(true);
});
