import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { paths } from '@/routes/paths';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ForwardDialog } from './ForwardDialog';
import { makeMessage } from './testData';

const CONTACTS = [
  { id: 1, name: 'Zulmira', number: '5511999990001', uuid: 'a-1', isGroup: false },
  { id: 2, name: 'Zilda', number: '5511999990002', uuid: 'a-2', isGroup: false },
];

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(
      Response.json(
        url.includes('/forward')
          ? {
              refused: [
                { contactId: 1, name: 'Zulmira', code: 'ERR_LED_ELSEWHERE', message: 'Não.' },
              ],
            }
          : { contacts: CONTACTS, count: 2, hasMore: false },
      ),
    ),
  );
});

test('a conversation that another agent leads is opened to be taken, not written to', async () => {
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <ChakraProvider value={system}>
        <MemoryRouter>
          <ForwardDialog message={makeMessage(7)} onClose={onClose} />
        </MemoryRouter>
      </ChakraProvider>
    </QueryClientProvider>,
  );
  await userEvent.type(screen.getByRole('searchbox'), 'zul');
  const led = await screen.findByRole<HTMLButtonElement>('checkbox', { name: /Zulmira/ });
  await vi.waitFor(() => expect(led.disabled).toBe(true));
  expect(led.textContent).toContain('Outro agente conduz esta conversa.');
  expect(screen.getByRole<HTMLButtonElement>('checkbox', { name: /Zilda/ }).disabled).toBe(false);
  const link = screen.getByRole('link', { name: 'Abrir para assumir' });
  expect(link.getAttribute('href')).toBe(paths.ticket('a-1'));
  await userEvent.click(link);
  expect(onClose).toHaveBeenCalledOnce();
});
