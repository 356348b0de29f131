import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, matchRoutes, RouterProvider, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { router } from '@/app/router';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { Component as Private } from './layout';
import { PublicFrame } from './PublicFrame';

const routesOf = (path: string) =>
  matchRoutes(router.routes as RouteObject[], path)?.map(({ route }) => route.path) ?? [];

test.each(['/login', '/signup', '/forgetpsw'])('%s is for everybody', (path) => {
  expect(routesOf(path).at(-1)).toBe(path);
  expect(routesOf(path)).not.toContain('/');
});

const UUID = '3f2a0000-0000-4000-8000-000000000000';

test.each([
  ...['/', '/tickets', `/tickets/${UUID}`, '/connections', '/quick-messages', '/todolist'],
  ...['/schedules', '/tags', '/contacts', '/Email', '/EmailLis', '/helps', '/users', '/files'],
  ...['/prompts', '/queue-integration', '/messages-api', '/settings', '/kanban', '/financeiro'],
  ...['/queues', '/announcements', '/subscription', '/chats', `/chats/${UUID}`],
  ...['/contact-lists', '/contact-lists/3/contacts', '/campaigns', '/campaign/3/report'],
  '/campaigns-config',
])('%s is a page below the frame that asks for a session', (path) => {
  expect(routesOf(path)).toContain('/');
  expect(routesOf(path).at(-1)).not.toBe('*');
});

function open(path: string, routes: RouteObject[]) {
  const memory = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={memory} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return () => memory.state.location.pathname;
}

test('who is signed out is led from a private page to the login', async () => {
  closeSession();
  const place = open('/contacts', [
    { path: '/login', element: <p>entrar</p> },
    { path: '/', Component: Private, children: [{ path: 'contacts', element: <p>contatos</p> }] },
  ]);
  await screen.findByText('entrar');
  expect(place()).toBe('/login');
});

test('who is signed in is led from a public page home', async () => {
  openSession({ token: 'abc', user: makeUser() });
  const place = open('/signup', [
    { path: '/', element: <p>início</p> },
    { path: '/signup', element: <PublicFrame title="Criar conta">formulário</PublicFrame> },
  ]);
  await screen.findByText('início');
  expect(place()).toBe('/');
});
