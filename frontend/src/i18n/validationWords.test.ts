import { expect, test } from 'vitest';

const fields = import.meta.glob<{ field: Record<string, string> }>('./*/common.json', {
  eager: true,
  import: 'default',
});

test.each([
  ['en', ['Required', 'Too Short!', 'Too Long!', 'Invalid email']],
  ['pt', ['Campo obrigatório!', 'Muito curto!', 'Muito longo!', 'E-mail inválido']],
])('the words of a field in %s are the quoted ones', (language, words) => {
  const field = fields[`./${language}/common.json`]?.field;
  expect([field?.required, field?.tooShort, field?.tooLong, field?.invalidEmail]).toEqual(words);
});
