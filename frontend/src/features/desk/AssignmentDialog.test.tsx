import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { system } from '@/theme';
import { AssignmentDialog } from './AssignmentDialog';
import { makeSupervisor, POLICY } from './testData';
import type { AssignmentPolicy } from './types';

const stored: AssignmentPolicy = { ...POLICY, mode: 'manual', returnMinutes: 0, queueId: 4 };

beforeEach(() => openSession({ token: 'token', user: makeSupervisor(false) }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

/** Opens the dialog; returns what it saved. */
async function open(answer: () => Response = () => Response.json(stored)) {
  const sent: unknown[] = [];
  const onClose = vi.fn();
  vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
    if (init?.method !== 'PUT') return Promise.resolve(Response.json(stored));
    sent.push(JSON.parse(init.body as string));
    return Promise.resolve(answer());
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <AssignmentDialog queue={{ id: 4, name: 'Vendas' }} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await screen.findByRole('radio', { name: /Manual/ });
  return { sent, onClose, user: userEvent.setup() };
}

test('an automatic mode asks the rest, says that it switches on, and is saved', async () => {
  const { sent, onClose, user } = await open();
  expect(screen.queryByLabelText('Quem já atendeu o contato')).toBeNull();
  await user.click(screen.getByRole('radio', { name: /Em rodízio/ }));
  expect(screen.getByText(/passam a valer na empresa/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Quem já atendeu o contato'), 'Nesta fila');
  const wait = screen.getByLabelText('Esperar por essa pessoa (minutos)');
  await user.clear(wait);
  await user.type(wait, '3');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual([
    {
      ...POLICY,
      mode: 'round_robin',
      returnMinutes: 0,
      sticky: 'same_queue',
      stickyWaitMinutes: 3,
    },
  ]);
});

test('a number out of its limits is refused before it is sent', async () => {
  const { sent, user } = await open();
  const grace = screen.getByLabelText('Tolerância (minutos)');
  await user.clear(grace);
  await user.type(grace, '2000');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Informe um número de 0 a 1440.')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a wrong number that a choice hides again does not hold back the rest', async () => {
  const { sent, user } = await open();
  await user.click(screen.getByRole('radio', { name: /Em rodízio/ }));
  await user.clear(screen.getByLabelText('Máximo por pessoa'));
  await user.click(screen.getByRole('radio', { name: /Manual/ }));
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(sent).toEqual([{ ...POLICY, mode: 'manual', returnMinutes: 0 }]));
});

test('a refusal of the server stands at its field', async () => {
  const refusal = {
    error: '',
    code: 'ERR_VALIDATION',
    message: '',
    fields: { graceMinutes: ['Informe menos.'] },
    fieldCodes: { graceMinutes: 'max_value' },
  };
  const { user, onClose } = await open(() => Response.json(refusal, { status: 400 }));
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Informe menos.')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});
