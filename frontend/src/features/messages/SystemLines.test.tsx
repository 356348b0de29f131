import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { i18n } from '@/i18n';
import { system } from '@/theme';
import { ActivityLine } from './SystemLines';
import { makeActivity } from './testData';
import type { TicketActivity } from './types';

afterEach(() => i18n.changeLanguage('pt'));

function show(changes: Partial<TicketActivity>) {
  const activity: TicketActivity = {
    ...makeActivity(1, 0),
    kind: 'bot_ended',
    actorName: null,
    reason: 'failed',
    ...changes,
  };
  render(
    <ChakraProvider value={system}>
      <div data-testid="line">
        <ActivityLine activity={activity} />
      </div>
    </ChakraProvider>,
  );
  return screen.getByTestId('line').textContent;
}

const failed = {
  error: 'fluxo.example.com respondeu com o erro 500.',
  reasonCode: 'server_error',
  reasonDetail: 'fluxo.example.com (500)',
};

test.each([
  ['pt', ': Erro na resposta de fluxo.example.com (500) · '],
  ['en', ': Error in the answer of fluxo.example.com (500) · '],
  ['es', ': Error en la respuesta de fluxo.example.com (500) · '],
])('why the bot stopped is read in %s', async (language, words) => {
  await i18n.changeLanguage(language);
  expect(show(failed)).toContain(words);
});

test.each(['', 'a_name_of_a_later_version'])(
  'a line whose reason is %o shows the sentence it was stored with',
  async (reasonCode) => {
    await i18n.changeLanguage('en');
    expect(show({ ...failed, reasonCode })).toContain(': fluxo.example.com respondeu com o erro');
  },
);

test.each([
  ['pt', 'O contato mudou de número: agora é +55 11 98765-4321'],
  ['en', 'The contact has a new number: +55 11 98765-4321'],
  ['es', 'El contacto cambió de número: ahora es +55 11 98765-4321'],
])('a new number of the contact is told in %s', async (language, words) => {
  await i18n.changeLanguage(language);
  expect(show({ kind: 'renumbered', reason: null, number: '5511987654321' })).toContain(words);
});
