import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';

/** Endpoints that return an array; the others return an object with a named list. */
const PLAIN = ['/api/queue', '/api/whatsapp', '/api/whatsapp/', '/api/users/list', '/api/settings'];
const NAMES = [
  'contacts',
  'files',
  'tags',
  'prompts',
  'records',
  'schedules',
  'users',
  'queueIntegrations',
];
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, []]));

function answer(input: string) {
  const { pathname } = new URL(input, 'http://balcao.test');
  const body = PLAIN.includes(pathname)
    ? []
    : { ...NOTHING, count: 0, hasMore: false, answers: 0, totalTokens: 0, todayTokens: 0 };
  return Promise.resolve(new Response(JSON.stringify(body)));
}

beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('fetch', vi.fn(answer));
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  openSession({
    token: 'abc',
    user: makeUser({ permissions: ['drawer-admin-items:view', 'connections-page:addConnection'] }),
  });
});

type Route = () => Promise<{ Component: ComponentType }>;

// Every page with a list: its heading when empty, and the button that adds the first row.
const PAGES: [string, Route, string, string][] = [
  ['prompts', () => import('./prompts'), 'Nenhum prompt por aqui ainda.', 'Adicionar prompt'],
  ['users', () => import('./users'), 'Ainda não há usuários.', 'Adicionar usuário'],
  ['queues', () => import('./queues'), 'Nenhuma fila ainda', 'Nova fila'],
  [
    'connections',
    () => import('./connections'),
    'Nenhum número conectado ainda.',
    'Adicionar conexão',
  ],
  ['contacts', () => import('./contacts'), 'Nenhum contato ainda', 'Adicionar contato'],
  [
    'queue-integration',
    () => import('./queue-integration'),
    'Nenhuma integração ainda',
    'Adicionar integração',
  ],
  [
    'quick-messages',
    () => import('./quick-messages'),
    'Nenhuma resposta rápida ainda.',
    'Adicionar resposta rápida',
  ],
  ['files', () => import('./files'), 'Nenhuma lista de arquivos ainda.', 'Adicionar lista'],
  [
    'contact-lists',
    () => import('./contact-lists'),
    'Nenhuma lista de contatos ainda.',
    'Adicionar lista',
  ],
  ['tags', () => import('./tags'), 'Nenhuma tag ainda', 'Adicionar tag'],
  ['schedules', () => import('./schedules'), 'Nenhuma mensagem agendada.', 'Novo agendamento'],
];

test.each(PAGES)('%s without rows: a sentence and the way to the first', async (...page) => {
  const [, load, title, button] = page;
  const { Component } = await load();
  const router = createMemoryRouter([{ path: '/', element: <Component /> }], {
    // The calendar always shows its days, so it has no empty state.
    initialEntries: ['/?view=list'],
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  // One in its usual place, one in the empty state.
  expect(screen.getAllByRole('button', { name: button })).toHaveLength(2);
});
