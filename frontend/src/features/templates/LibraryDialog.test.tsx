import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { LibraryDialog } from './LibraryDialog';

const entry = (name: string, more: object = {}) => ({
  id: name,
  name,
  language: 'pt_BR',
  category: 'UTILITY',
  topic: 'ORDER_MANAGEMENT',
  usecase: 'DELIVERY_UPDATE',
  industries: ['E_COMMERCE'],
  header: 'Seu pedido saiu',
  body: 'Olá, {{1}}. O pedido {{2}} saiu.',
  samples: ['Ana', '10482'],
  buttons: [
    { type: 'URL', text: 'Acompanhar', url: 'https://www.example.com/', phone: '' },
    { type: 'PHONE_NUMBER', text: 'Ligar', url: '', phone: '+1800' },
  ],
  sentences: ['trackPackageLink'],
  canBeUsed: true,
  ...more,
});

let library: () => Response;
let made: () => Response;
let calls: { path: string; body: unknown }[];
const onClose = vi.fn();

beforeEach(() => {
  queryClient.clear();
  onClose.mockClear();
  openSession({ token: 'abc', user: makeUser({ permissions: ['drawer-admin-items:view'] }) });
  calls = [];
  library = () =>
    Response.json({ templates: [entry('entrega'), entry('form', { canBeUsed: false })], next: '' });
  made = () => Response.json(entry('x'), { status: 201 });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const { pathname, search } = new URL(input, 'http://balcao.test');
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : null;
    calls.push({ path: pathname + search, body });
    return Promise.resolve(init?.method === 'POST' ? made() : library());
  });
});

function open() {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <LibraryDialog connectionId={5} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

test('the library opens in the own language, and filters ask anew', async () => {
  open();
  const row = await screen.findByRole('button', { name: /^entrega/ }, { timeout: 5000 });
  expect(row.textContent).toContain('Olá, Ana. O pedido 10482 saiu.');
  expect(calls[0]?.path).toBe('/api/whatsapp/5/template-library?language=pt_BR');
  await userEvent.selectOptions(screen.getByLabelText('Tema'), 'PAYMENTS');
  await waitFor(() =>
    expect(calls.at(-1)?.path).toBe(
      '/api/whatsapp/5/template-library?topic=PAYMENTS&language=pt_BR',
    ),
  );
});

test('what can not be used here says so and can not be chosen', async () => {
  open();
  const row = await screen.findByRole('button', { name: /^form/ });
  expect((row as HTMLButtonElement).disabled).toBe(true);
  expect(row.textContent).toContain('Só o Gerenciador do WhatsApp');
});

test('an empty library and a failure have their words', async () => {
  library = () => Response.json({ templates: [], next: '' });
  open();
  expect(await screen.findByText('Nenhum modelo encontrado')).toBeDefined();
});

test('a failed read can be repeated', async () => {
  library = () =>
    Response.json({ error: 'x', code: 'ERR_TEMPLATES_UNAVAILABLE', message: 'x' }, { status: 424 });
  open();
  const again = await screen.findByRole('button', { name: 'Tentar de novo' });
  library = () => Response.json({ templates: [entry('entrega')], next: '' });
  await userEvent.click(again);
  expect(await screen.findByRole('button', { name: /^entrega/ })).toBeDefined();
});

async function fill() {
  open();
  await userEvent.click(await screen.findByRole('button', { name: /^entrega/ }));
  const link = await screen.findByLabelText(/Link do botão Acompanhar/);
  await userEvent.click(link);
  await userEvent.paste('https://loja.example/{{1}}');
  await userEvent.type(screen.getByLabelText(/Exemplo do final/), '10482');
  await userEvent.type(screen.getByLabelText(/Telefone do botão Ligar/), '+551140028922');
  await userEvent.click(screen.getByLabelText('Link de rastreio da entrega'));
  await userEvent.click(screen.getByRole('button', { name: 'Criar modelo' }));
}

test('a chosen template is submitted with links, telephones and sentences', async () => {
  await fill();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(calls.at(-1)?.body).toEqual({
    libraryName: 'entrega',
    language: 'pt_BR',
    name: 'entrega',
    buttons: [
      { url: 'https://loja.example/{{1}}', phone: '', example: '10482' },
      { url: '', phone: '+551140028922', example: '' },
    ],
    sentences: ['trackPackageLink'],
  });
});

test('refusals return to their fields, and a taken name is told', async () => {
  const refused = (fields: object) =>
    Response.json(
      { error: 'ERR_VALIDATION', code: 'ERR_VALIDATION', message: 'x', fields },
      { status: 400 },
    );
  made = () => refused({ 'buttons.1': ['Informe o telefone com DDI.'] });
  await fill();
  expect(await screen.findByText('Informe o telefone com DDI.')).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
});
