import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '@/i18n';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { QueueUses } from './QueueUses';
import type { QueueUsage } from './types';

const UNUSED: QueueUsage = {
  tickets: 0,
  connections: 0,
  users: 0,
  options: 0,
  prompts: 0,
  integrations: 0,
  deadlines: 0,
};

beforeEach(() => openSession({ token: 'token', user: makeUser() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
  return i18n.changeLanguage('pt');
});

function ask(usage: Partial<QueueUsage>) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ...UNUSED, ...usage })));
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <QueueUses queueId={4} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

test.each([
  ['pt', 1, 'Uma integração deixará de passar conversas a ela;'],
  ['pt', 2, '2 integrações deixarão de passar conversas a ela;'],
  ['en', 2, '2 integrations will no longer leave conversations in it;'],
  ['es', 2, '2 integraciones dejarán de pasarle conversaciones;'],
])('in %s, what %i integrations lose', async (language, integrations, words) => {
  await i18n.changeLanguage(language);
  ask({ integrations });
  const row = await screen.findByRole('listitem');
  expect(row.textContent).toContain(words);
});

test('what nothing uses says so', async () => {
  ask({});
  await screen.findByText('Nenhum atendimento, conexão ou usuário usa esta fila.');
  expect(screen.queryByRole('listitem')).toBeNull();
});
