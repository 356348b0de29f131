import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { useClosing, type ClosingRules } from '@/stores/closing';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import ClosingGuard from './ClosingDialog';

const answer = vi.fn();
let saved: unknown[];
let email: string;

beforeEach(() => {
  answer.mockClear();
  saved = [];
  email = '';
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (_input: string, init?: RequestInit) => {
    const contact = { id: 3, name: 'Lia', email, extraInfo: [] };
    if (init?.method === 'PUT') saved.push(JSON.parse(init.body as string));
    return Promise.resolve(Response.json(contact));
  });
});

function ask(rules: ClosingRules) {
  const subject = { contactId: 3, name: 'Lia', isGroup: false };
  useClosing.setState({ question: { subject, rules, answer } });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ClosingGuard />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return userEvent.setup({ delay: null });
}

test('with nothing to fill in one key names the reason', async () => {
  const user = ask({ reasons: ['Vendido', 'Sem interesse'], fields: [] });
  await screen.findByRole('button', { name: /Sem interesse/ });
  await user.keyboard('3');
  expect(answer).not.toHaveBeenCalled();
  await user.keyboard('2');
  expect(answer.mock.calls).toEqual([['Sem interesse']]);
});

test('what the contact lacks is filled in and saved before', async () => {
  const user = ask({ reasons: [], fields: ['email', 'CPF'] });
  await screen.findByLabelText(/^CPF/);
  await user.click(screen.getByRole('button', { name: 'Resolver' }));
  expect(await screen.findAllByText('Preencha para resolver')).toHaveLength(2);
  expect(answer).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText(/^E-mail/), 'lia@example.com');
  // A digit in a field is text.
  await user.type(screen.getByLabelText(/^CPF/), '529');
  await user.click(screen.getByRole('button', { name: 'Resolver' }));
  await vi.waitFor(() => expect(answer.mock.calls).toEqual([['']]));
  expect(saved).toEqual([
    { name: 'Lia', email: 'lia@example.com', extraInfo: [{ name: 'CPF', value: '529' }] },
  ]);
});

test('without a list, a contact that lacks nothing is no question', async () => {
  email = 'lia@example.com';
  ask({ reasons: [], fields: ['email'] });
  await vi.waitFor(() => expect(answer.mock.calls).toEqual([['']]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('who may not change contacts is asked for the reason alone', async () => {
  openSession({ token: 'abc', user: makeUser({ granted: ['tickets:resolve', 'contacts:see'] }) });
  const user = ask({ reasons: ['Vendido'], fields: ['CPF'] });
  await screen.findByRole('button', { name: /Vendido/ });
  expect(screen.queryByLabelText(/^CPF/)).toBeNull();
  await user.keyboard('1');
  expect(answer.mock.calls).toEqual([['Vendido']]);
});

test('who may not change contacts hears from the server what one lacks', async () => {
  openSession({ token: 'abc', user: makeUser({ granted: ['tickets:resolve'] }) });
  ask({ reasons: [], fields: ['CPF'] });
  await vi.waitFor(() => expect(answer.mock.calls).toEqual([['']]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('who closes the dialog stays', async () => {
  const user = ask({ reasons: ['Vendido'], fields: [] });
  await screen.findByRole('button', { name: /Vendido/ });
  await user.keyboard('{Escape}');
  await vi.waitFor(() => expect(answer.mock.calls).toEqual([[null]]));
});
