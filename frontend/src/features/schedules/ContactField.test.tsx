import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ContactField } from './ContactField';

test('nothing is said of what is not searched for yet, and a failure is', async () => {
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  let answer: (response: Response) => void = () => undefined;
  const ask = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)));
  vi.stubGlobal('fetch', ask);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ContactField value={null} onChange={vi.fn()} error={undefined} disabled={false} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const field = screen.getByRole('combobox', { name: /Contato/ });
  await userEvent.click(field);
  vi.useFakeTimers();
  fireEvent.change(field, { target: { value: 'ana' } });
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(ask).not.toHaveBeenCalled();
  expect(screen.getByText('Buscando…')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(ask).toHaveBeenCalled();
  vi.useRealTimers();
  answer(Response.json({ code: 'ERR_NO_PERMISSION', message: 'x' }, { status: 403 }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Você não tem permissão para acessar este recurso.',
  );
  expect(screen.queryByText('Nada encontrado')).toBeNull();
});
