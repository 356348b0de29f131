import { expect, test } from 'vitest';
import { unsignedBody } from './composer/signing';

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
