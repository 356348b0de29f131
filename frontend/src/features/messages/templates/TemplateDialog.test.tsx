import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import type { Template } from '@/lib/templates/filling';
import { makeMessage, makeTicket } from '../testData';
import { TemplateDialog } from './TemplateDialog';

const make = (id: string, name: string, parts: Record<string, unknown>[]): Template => ({
  id,
  name,
  status: 'APPROVED',
  category: 'UTILITY',
  language: 'pt_BR',
  parameter_format: 'POSITIONAL',
  supported: true,
  canBeSent: true,
  needsNumber: false,
  quality: '',
  rejectedReason: '',
  components: parts,
});
const SENT = make('1', 'pedido_enviado', [
  { type: 'HEADER', format: 'DOCUMENT' },
  { type: 'BODY', text: 'Olá, {{1}}! O pedido {{2}} saiu.' },
]);
const PAID = make('2', 'pagamento_recebido', [{ type: 'BODY', text: 'Recebemos {{1}}.' }]);

const onClose = vi.fn();
const whenAlone = vi.fn();

function show(isWide: boolean) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: isWide && query.includes('min-width'),
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  const element = (
    <TemplateDialog
      ticket={makeTicket()}
      whenAlone={whenAlone}
      onClose={onClose}
      onSent={vi.fn()}
    />
  );
  const router = createMemoryRouter([{ path: '/', element }]);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}
const choose = async (name: string) =>
  userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const values = () => screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);

/** The provider accepts any file at once. */
class Upload {
  upload = {};
  status = 200;
  responseText = '{"id": "4::abc"}';
  onload?: () => void;
  open = vi.fn();
  setRequestHeader = vi.fn();
  abort = vi.fn();
  send = () => queueMicrotask(() => this.onload?.());
}

beforeEach(() => {
  onClose.mockReset();
  whenAlone.mockReset();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ templates: [SENT, PAID] })));
  vi.stubGlobal('XMLHttpRequest', Upload);
  URL.createObjectURL = () => 'blob:nota';
  URL.revokeObjectURL = () => undefined;
});

test('what was filled in on a narrow screen is there when one comes back to the template', async () => {
  show(false);
  await choose('pedido_enviado');
  const [name, order] = screen.getAllByRole('textbox');
  expect(values()).toEqual(['Mariana', '']);
  await userEvent.clear(name as HTMLElement);
  await userEvent.type(name as HTMLElement, 'Dona Mariana');
  await userEvent.type(order as HTMLElement, '10482');
  const pdf = new File(['%PDF'], 'nota.pdf', { type: 'application/pdf' });
  await userEvent.upload(screen.getByTestId('header-file'), pdf);
  await screen.findByRole('button', { name: 'Remover nota.pdf' });

  await press('Voltar');
  await choose('pagamento_recebido');
  expect(values()).toEqual(['']);
  await press('Voltar');
  await choose('pedido_enviado');
  expect(values()).toEqual(['Dona Mariana', '10482']);
  screen.getByRole('button', { name: 'Remover nota.pdf' });
});

test.each([
  ['the list', 'Voltar'],
  ['another template', 'pagamento_recebido'],
])('with %s before the eyes, Escape still asks for what was typed', async (_, next) => {
  show(next !== 'Voltar');
  await choose('pedido_enviado');
  await userEvent.type(screen.getAllByRole('textbox')[1] as HTMLElement, '10482');
  if (next === 'Voltar') await press(next);
  else await choose(next);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Descartar' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('a look at templates alone loses nothing, and is asked nothing', async () => {
  show(false);
  await choose('pedido_enviado');
  await press('Voltar');
  await choose('pagamento_recebido');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('it is sent only once the user knows who else is writing', async () => {
  let calls = 0;
  vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
    if (init?.method !== 'POST') return Promise.resolve(Response.json({ templates: [SENT, PAID] }));
    calls += 1;
    return Promise.resolve(Response.json(makeMessage(31), { status: 201 }));
  });
  show(true);
  await choose('pagamento_recebido');
  await userEvent.type(screen.getByRole('textbox'), 'R$ 120');
  await press('Enviar modelo');
  expect([whenAlone.mock.calls.length, calls]).toEqual([1, 0]);
  (whenAlone.mock.calls[0]?.[0] as () => void)();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls).toBe(1);
});
