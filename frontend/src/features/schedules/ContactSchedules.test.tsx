import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ContactSchedules } from './ContactSchedules';

const calls: string[] = [];
let bodies: string[];

beforeEach(() => {
  queryClient.clear();
  calls.length = 0;
  bodies = ['Seu pedido saiu', 'Chegou bem?'];
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    calls.push(`${request.method} ${url}`);
    if (request.method === 'DELETE') bodies = bodies.slice(1);
    const schedules = bodies.map((body, place) => ({
      id: place + 1,
      body,
      mediaName: '',
      sendAt: `2999-01-0${place + 1}T12:00:00Z`,
    }));
    return Promise.resolve(
      new Response(JSON.stringify({ schedules, count: schedules.length, hasMore: false })),
    );
  });
});

function open(onEdit = vi.fn()) {
  render(
    <QueryClientProvider client={queryClient}>
      <ChakraProvider value={system}>
        <ContactSchedules contactId={9} folded onEdit={onEdit} />
      </ChakraProvider>
    </QueryClientProvider>,
  );
  return userEvent.setup({ delay: null });
}

test('the next one is shown, and the others when asked for', async () => {
  const onEdit = vi.fn();
  const user = open(onEdit);
  expect(await screen.findByText('Seu pedido saiu')).toBeTruthy();
  expect(calls).toEqual(['GET /api/schedules/?contactId=9&status=PENDENTE']);
  expect(screen.queryByText('Chegou bem?')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Mais 1 agendada' }));
  expect(screen.getByText('Chegou bem?')).toBeTruthy();
  const [, second] = screen.getAllByRole('button', { name: 'Editar agendamento' });
  if (!second) throw new Error('two are shown');
  await user.click(second);
  expect(onEdit).toHaveBeenCalledWith(2);
});

test('cancelling asks, and the message is gone', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Cancelar agendamento' }));
  const question = await screen.findByRole('alertdialog');
  expect(calls).toHaveLength(1);
  await user.click(within(question).getByRole('button', { name: 'Cancelar agendamento' }));
  await waitFor(() => expect(calls).toContain('DELETE /api/schedules/1'));
  await waitFor(() => expect(screen.queryByText('Seu pedido saiu')).toBeNull());
});
