import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { i18n } from '@/i18n';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { formOf, type IntegrationForm } from './schemas';
import { TestSession } from './TestSession';

function FormWithTest({ type }: { type: IntegrationForm['type'] }) {
  const form = useForm<IntegrationForm>({ defaultValues: { ...formOf(), type } });
  return <TestSession form={form} integrationId={5} />;
}

async function tryOut(type: IntegrationForm['type'], answer: object) {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(answer))));
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <FormWithTest type={type} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await userEvent.click(await screen.findByRole('button'));
}

beforeEach(() => {
  openSession({ token: 'abc', user: makeUser() });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await i18n.changeLanguage('pt');
});

const PING = {
  messages: ['a.example respondeu com o código 200 em 35 ms.'],
  reasonCode: 'server_answered',
  reasonDetail: 'a.example (200, 35 ms)',
};

test.each([
  ['pt', 'Resposta recebida de a.example (200, 35 ms).'],
  ['en', 'Answer received from a.example (200, 35 ms).'],
  ['es', 'Respuesta recibida de a.example (200, 35 ms).'],
])('what a ping led to is read in %s', async (language, words) => {
  await i18n.changeLanguage(language);
  await tryOut('webhook', PING);
  await screen.findByText(words);
});

test.each([
  ['en', 'Asaas accepted the token.'],
  ['es', 'Asaas aceptó el token.'],
])('that a token is accepted is read in %s', async (language, words) => {
  await i18n.changeLanguage(language);
  const messages = ['O Asaas aceitou o token.'];
  await tryOut('asaas', { messages, reasonCode: 'asaas_token_accepted', reasonDetail: '' });
  await screen.findByText(words);
});

test('what a flow says is its own', async () => {
  await i18n.changeLanguage('en');
  await tryOut('typebot', { messages: ['Olá! Como posso ajudar?'] });
  await screen.findByText('Olá! Como posso ajudar?');
});
