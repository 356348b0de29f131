import { expect, test } from 'vitest';
import { addressesIn, emailSchema, wrongAddress } from './schemas';

const full = { email: 'ana@x.example', assunto: 'Olá', mensagem: 'Tudo bem?' };

test('addresses are separated by commas, with or without spaces', () => {
  expect(addressesIn(' ana@x.example,bia@x.example ;, caio@x.example')).toEqual([
    'ana@x.example',
    'bia@x.example',
    'caio@x.example',
  ]);
});

test('the first that is no address is named', () => {
  expect(wrongAddress('ana@x.example, bia, caio')).toBe('bia');
  expect(wrongAddress('ana@x.example')).toBeUndefined();
});

test.each([
  [{}, undefined],
  [{ email: ' , ' }, 'fields.recipients'],
  [{ email: 'ana@x.example, bia' }, 'fields.address'],
  [{ email: Array.from({ length: 51 }, (_, n) => `p${n}@x.example`).join(',') }, 'fields.tooMany'],
  [{ assunto: '  ' }, 'fields.subject'],
  [{ assunto: 'a'.repeat(201) }, 'fields.subjectLong'],
  [{ mensagem: ' \n' }, 'fields.message'],
  [{ mensagem: 'a'.repeat(20_001) }, 'fields.messageLong'],
])('%o is judged', (changes, reason) => {
  const { error } = emailSchema.safeParse({ ...full, ...changes });
  expect(error?.issues[0]?.message).toBe(reason);
});
