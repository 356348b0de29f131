import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ContactDialog } from './ContactDialog';

const KEPT: Record<string, string> = {
  '11 98000-0200': '+55 11 98000-0200',
  '+4798765432': '+47 987 65 432',
};

let asked: string[];
let sent: unknown[];

beforeEach(() => {
  asked = [];
  sent = [];
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('fetch', (url: string, options?: RequestInit) => {
    if (options?.body) sent.push(JSON.parse(options.body as string));
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname !== '/api/contacts/number')
      return Promise.resolve(
        Response.json({ id: 7, name: 'Kari', number: '4798765432', email: '', extraInfo: [] }),
      );
    const number = searchParams.get('number') ?? '';
    asked.push(number);
    const shown = KEPT[number] ?? '';
    return Promise.resolve(Response.json({ number: shown, shown, isCompleted: true }));
  });
});

afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const open = (props: Partial<Parameters<typeof ContactDialog>[0]> = {}) =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ContactDialog onClose={vi.fn()} onSaved={vi.fn()} {...props} />
      </QueryClientProvider>
    </ChakraProvider>,
  );

const number = () => screen.findByRole('textbox', { name: /Número/ });

test('the form shows a number as it will be kept', async () => {
  open();
  await userEvent.type(await number(), '11 98000-0200');
  expect(await screen.findByText('Será salvo como +55 11 98000-0200')).toBeTruthy();
  expect((await number()).getAttribute('aria-describedby')).toBe(
    screen.getByText('Será salvo como +55 11 98000-0200').id,
  );
  // Nothing is asked while the user types.
  expect(asked).toEqual(['11 98000-0200']);
});

test('a stored number that was not changed is left alone', async () => {
  open({ contactId: 7 });
  expect(await number()).toHaveProperty('value', '4798765432');
  expect(await screen.findByText(/DDD e número/)).toBeTruthy();
  expect(asked).toEqual([]);
});

test('the plus sign of a typed or a shared number is kept', async () => {
  open({ initialName: '+47 98765432' });
  expect(await number()).toHaveProperty('value', '+4798765432');
  expect(await screen.findByText('Será salvo como +47 987 65 432')).toBeTruthy();
});

test('the switch for ignoring the messages is saved and says what it does', async () => {
  open({ contactId: 7 });
  const ignored = await screen.findByRole('checkbox', { name: /Ignorar as mensagens/ });
  expect(ignored).toHaveProperty('checked', false);
  const help = document.getElementById(ignored.getAttribute('aria-describedby') ?? '');
  expect(help?.textContent).toContain('nenhuma conversa');
  await userEvent.click(ignored);
  await userEvent.click(screen.getByRole('button', { name: 'Salvar' }));
  await vi.waitFor(() => expect(sent).toEqual([expect.objectContaining({ ignoreMessages: true })]));
});
