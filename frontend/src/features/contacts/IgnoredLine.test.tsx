import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { IgnoredLine } from './IgnoredLine';

test('the line says that messages are ignored, and its button ends it', async () => {
  openSession({ token: 'token', user: makeUser() });
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, options?: RequestInit) => {
    calls.push([options?.method, url, JSON.parse(options?.body as string)]);
    return Promise.resolve(Response.json({ id: 7, name: 'Kari', ignoreMessages: false }));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <IgnoredLine contact={{ id: 7, name: 'Kari' }} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  expect(screen.getByRole('status').textContent).toContain('são ignoradas');
  await userEvent.click(screen.getByRole('button', { name: /mensagens de Kari/ }));
  await vi.waitFor(() =>
    expect(calls).toEqual([['PUT', '/api/contacts/7', { ignoreMessages: false }]]),
  );
  closeSession();
  vi.unstubAllGlobals();
});
