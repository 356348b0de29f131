import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { system } from '@/theme';
import { ReasonsDialog } from './ReasonsDialog';
import { makeSupervisor } from './testData';
import type { PauseReason } from './types';

const sent: { method: string; path: string; body: unknown }[] = [];
const onClose = vi.fn();
let stored: PauseReason[];
let refuses: boolean;

beforeEach(() => {
  sent.length = 0;
  onClose.mockReset();
  refuses = false;
  stored = [
    { id: 3, name: 'Almoço', minutes: 60 },
    { id: 4, name: 'Café', minutes: 10 },
  ];
  openSession({ token: 'token', user: makeSupervisor() });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = new URL(url, 'http://x').pathname.replace(/^.*\/api/, '');
    const method = init?.method ?? 'GET';
    if (method === 'GET') return Promise.resolve(Response.json(stored));
    const body = JSON.parse((init?.body as string | undefined) ?? 'null') as PauseReason | null;
    sent.push({ method, path, body });
    if (refuses)
      return Promise.resolve(
        Response.json({ error: 'ERR_PAUSE_REASON_EXISTS', message: 'Já existe.' }, { status: 400 }),
      );
    const id = Number(path.split('/').at(-1)) || 5;
    stored = stored.filter((reason) => reason.id !== id);
    if (body) stored.push({ ...body, id });
    return Promise.resolve(Response.json({ ...body, id }));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ReasonsDialog onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

test('a reason is deleted once that is confirmed', async () => {
  const user = userEvent.setup();
  const remove = await screen.findByRole('button', { name: 'Excluir o motivo Café' });
  await user.click(remove);
  let question = await screen.findByRole('alertdialog', { name: 'Excluir o motivo Café?' });
  await user.click(within(question).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sent).toEqual([]);
  await user.click(remove);
  question = await screen.findByRole('alertdialog', { name: 'Excluir o motivo Café?' });
  await user.click(within(question).getByRole('button', { name: 'Excluir' }));
  await waitFor(() => expect(screen.queryByText('Café')).toBeNull());
  expect(sent).toEqual([{ method: 'DELETE', path: '/pause-reasons/4', body: null }]);
});

test('a reason gets another name and other minutes, then the form adds again', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Editar o motivo Café' }));
  const name = screen.getByLabelText<HTMLInputElement>('Alterar Café');
  expect(document.activeElement).toBe(name);
  await user.clear(name);
  await user.type(name, 'Lanche');
  await user.clear(screen.getByLabelText('Minutos'));
  await user.type(screen.getByLabelText('Minutos'), '20{Enter}');
  await screen.findByText('Lanche');
  expect(screen.queryByText('Café')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Novo motivo').value).toBe('');
  await user.type(screen.getByLabelText('Novo motivo'), 'Reunião');
  await user.click(screen.getByRole('button', { name: 'Adicionar' }));
  await screen.findByText('Reunião');
  expect(document.activeElement).toBe(screen.getByLabelText('Novo motivo'));
  expect(sent).toEqual([
    { method: 'PUT', path: '/pause-reasons/4', body: { name: 'Lanche', minutes: 20 } },
    { method: 'POST', path: '/pause-reasons', body: { name: 'Reunião', minutes: 15 } },
  ]);
});

test('a refused name is told and stays, and a cancelled change sends nothing', async () => {
  refuses = true;
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Editar o motivo Café' }));
  const name = screen.getByLabelText<HTMLInputElement>('Alterar Café');
  await user.clear(name);
  await user.type(name, 'Almoço{Enter}');
  await screen.findByRole('alert');
  expect(name.value).toBe('Almoço');
  await user.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Novo motivo').value).toBe('');
  expect(sent).toHaveLength(1);
});

test('what is typed is asked about before it is dropped', async () => {
  const user = userEvent.setup();
  await screen.findByText('Café');
  await user.type(screen.getByLabelText('Novo motivo'), 'Reunião');
  await user.keyboard('{Escape}');
  const question = await screen.findByRole('alertdialog', { name: 'Descartar alterações?' });
  expect(onClose).not.toHaveBeenCalled();
  await user.click(within(question).getByRole('button', { name: 'Descartar' }));
  expect(onClose).toHaveBeenCalledOnce();
});
