import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Ticket } from '@/features/tickets/api';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { OwnerBanner } from './OwnerBanner';
import { makeTicket } from './testData';

const SINCE = '2026-03-02T12:00:00Z';
const asked: { url: string; body: unknown }[] = [];
let answer: () => Promise<Response>;

const show = (changes: Partial<Ticket>, mayAct = true) =>
  render(
    <QueryClientProvider client={queryClient}>
      <ChakraProvider value={system}>
        <OwnerBanner ticket={makeTicket(changes)} mayAct={mayAct} />
      </ChakraProvider>
    </QueryClientProvider>,
  );

beforeEach(() => {
  asked.length = 0;
  queryClient.clear();
  openSession({ token: 'token', user: makeUser() });
  answer = () => Promise.resolve(new Response(JSON.stringify(makeTicket())));
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    asked.push({ url, body: JSON.parse(request.body as string) });
    return answer();
  });
});

test('where nobody else ever led there is no banner', () => {
  const { container } = show({});
  expect(container.textContent).toBe('');
});

test('what another agent leads is taken, and the button waits for the answer', async () => {
  let arrive: (response: Response) => void = () => undefined;
  answer = () => new Promise((resolve) => (arrive = resolve));
  show({ owner: 'other', ownerAt: SINCE });
  expect(screen.getByRole('status').textContent).toContain('Outro agente conduz esta conversa.');
  const button = screen.getByRole('button', { name: 'Assumir' });
  await userEvent.click(button);
  await userEvent.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(asked).toEqual([{ url: '/api/tickets/50/thread-control', body: { action: 'take' } }]);
  arrive(new Response(JSON.stringify(makeTicket())));
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
});

test('what is ours is given back, and nobody else may do so', async () => {
  const { unmount } = show({ owner: 'us', ownerAt: SINCE });
  await userEvent.click(screen.getByRole('button', { name: 'Devolver ao agente' }));
  await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ action: 'release' }]));
  unmount();
  show({ owner: 'idle', ownerAt: SINCE }, false);
  expect(screen.getByRole('status').textContent).toContain('Ninguém conduz');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a refusal stands in the banner, in words', async () => {
  const refusal = {
    code: 'ERR_THREAD_CONTROL_REFUSED',
    error: 'Não.',
    reasonCode: 'control_refused',
    reasonDetail: '',
  };
  answer = () => Promise.resolve(new Response(JSON.stringify(refusal), { status: 424 }));
  show({ owner: 'other', ownerAt: SINCE });
  await userEvent.click(screen.getByRole('button', { name: 'Assumir' }));
  const words = await screen.findByRole('alert');
  expect(words.textContent).toContain('A Meta não deixou');
});
