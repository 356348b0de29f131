import { expect, test } from 'vitest';
import { unsignedBody } from './composer/signing';
import { captionWords } from './kinds';
import { makeMessage } from './testData';

const body = '*Camila Duarte:*\nJá saiu para entrega';

test('a signature is taken off by its name alone', () => {
  expect(unsignedBody({ fromMe: true, userName: 'Camila Duarte', body })).toBe(
    'Já saiu para entrega',
  );
  // A bold heading, another user's name and a contact's text must stay.
  for (const kept of [
    { fromMe: true, userName: 'Camila Duarte', body: '*Horários:*\n9 às 18' },
    { fromMe: true, userName: 'Ana', body },
    { fromMe: true, userName: null, body },
    { fromMe: false, userName: null, body },
  ])
    expect(unsignedBody(kept)).toBe(kept.body);
});

test('a caption is told in plain words without its signature', () => {
  const photo = { ...makeMessage(1), fromMe: true, userName: 'Camila Duarte', mediaName: 'a.jpg' };
  expect(captionWords({ ...photo, body: '*Camila Duarte:*\nO *vestido* azul' })).toBe(
    'O vestido azul',
  );
  expect(captionWords({ ...photo, body: 'a.jpg' })).toBe('');
});
