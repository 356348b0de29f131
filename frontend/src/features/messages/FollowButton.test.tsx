import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { FollowButton } from './FollowButton';

let calls: string[];
let refuses: boolean;

beforeEach(() => {
  calls = [];
  refuses = false;
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    calls.push(`${method} ${new URL(input, 'http://balcao.test').pathname}`);
    if (method === 'GET') return Promise.resolve(Response.json({ ticketIds: [7], answers: [] }));
    return Promise.resolve(
      refuses
        ? Response.json({ code: 'ERR_NO_PERMISSION', message: 'Não.' }, { status: 403 })
        : Response.json({ ticketIds: method === 'PUT' ? [50, 7] : [7], answers: [] }),
    );
  });
});

async function show() {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <FollowButton ticketId={50} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const button = await screen.findByRole('button', { name: 'Avisar quando o contato escrever' });
  await vi.waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
  return button;
}

test('one waits for the contact, and no longer', async () => {
  fireEvent.click(await show());
  const on = await screen.findByRole('button', { name: /^Você será avisado/, pressed: true });
  fireEvent.click(on);
  await screen.findByRole('button', { name: /^Avisar quando/, pressed: false });
  expect(calls.slice(1)).toEqual(['PUT /api/tickets/50/follow', 'DELETE /api/tickets/50/follow']);
});

test('a refusal changes nothing', async () => {
  refuses = true;
  fireEvent.click(await show());
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await screen.findByRole('button', { name: /^Avisar quando/, pressed: false });
});
