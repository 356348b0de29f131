import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { TemplatesTable } from './TemplatesTable';

const connection = (id: number, name: string, templates = true) => ({
  id,
  name,
  isDefault: false,
  capabilities: { templates },
});
const template = (id: string, name: string, status: string) => ({
  id,
  name,
  status,
  language: 'pt_BR',
  category: 'UTILITY',
  components: [],
  quality: '',
  rejectedReason: '',
});
const refusal =
  (status: number, code: string, reasonCode = '') =>
  () =>
    Response.json(
      { error: code, code, message: 'x', fields: {}, reasonCode, reasonDetail: '' },
      { status },
    );

let connections: () => Response | Promise<Response>;
let templates: () => Response | Promise<Response>;
let calls: string[];

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser({ permissions: ['drawer-admin-items:view'] }) });
  calls = [];
  connections = () => Response.json([connection(4, 'Sessão', false), connection(5, 'Loja')]);
  templates = () =>
    Response.json({ templates: [template('1', 'aviso', 'APPROVED')], count: 1, hasMore: false });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', (input: string) => {
    const { pathname, search } = new URL(input, 'http://balcao.test');
    calls.push(pathname + search);
    return Promise.resolve(pathname.endsWith('/templates') ? templates() : connections());
  });
});

function open(address = '/') {
  const router = createMemoryRouter([{ path: '*', element: <TemplatesTable /> }], {
    initialEntries: [address],
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return router;
}
const heading = (name: string) => screen.findByRole('heading', { name });
const add = () => screen.queryAllByRole('button', { name: 'Novo modelo' });
const asked = () => calls.filter((call) => call.startsWith('/api/templates'));
const pending = () => new Promise<Response>(() => undefined);

test('while numbers or templates are asked for, rows are grey and nothing can be written', () => {
  connections = pending;
  open();
  expect(screen.getByRole('status').textContent).toMatch(/Carregando/);
  // The number for a new template is not known yet.
  expect(add()).toEqual([]);
  expect(asked()).toEqual([]);
});

test('the templates are those of the number that has some', async () => {
  open();
  const table = await screen.findByRole('table', { name: 'Modelos de mensagem' });
  expect(await within(table).findByText('aviso')).toBeTruthy();
  expect(asked()).toEqual(['/api/templates?whatsappId=5']);
  expect(add()).toHaveLength(1);
});

test('without a number of the official API there is the way to one', async () => {
  connections = () => Response.json([connection(4, 'Sessão', false)]);
  const router = open();
  expect(await heading('Nenhum número da API oficial')).toBeTruthy();
  expect(asked()).toEqual([]);
  expect(add()).toEqual([]);
  await userEvent.click(screen.getByRole('link', { name: 'Abrir Conexões' }));
  expect(router.state.location.pathname).toBe('/connections');
});

test.each([
  ['Meta is down', refusal(424, 'ERR_TEMPLATES_UNAVAILABLE'), /A Meta não respondeu como devia/],
  [
    'the token is refused',
    refusal(424, 'ERR_TEMPLATES_UNAVAILABLE', 'credentials_refused'),
    /A Meta recusou o token de acesso/,
  ],
  ['we are down', refusal(500, 'ERR_INTERNAL'), /./],
])('%s: why, and once more', async (_case, answer, words) => {
  templates = answer;
  open();
  const alert = await screen.findByRole('alert');
  await waitFor(() => expect(within(alert).getByRole('paragraph').textContent).toMatch(words));
  expect(screen.queryByRole('table')).toBeNull();
  templates = () => Response.json({ templates: [template('1', 'aviso', 'APPROVED')], count: 1 });
  await userEvent.click(within(alert).getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('aviso')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what numbers there are cannot be read: why, and once more', async () => {
  connections = refusal(404, 'ERR_INTERNAL');
  open();
  const alert = await screen.findByRole('alert');
  connections = () => Response.json([connection(5, 'Loja')]);
  await userEvent.click(within(alert).getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('aviso')).toBeTruthy();
});

test('one that is not written here is shown with what it has, and no field', async () => {
  const form = {
    ...template('9', 'pesquisa_de_satisfacao', 'APPROVED'),
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'Onde fica, {{1}}?', example: { body_text: [['Bia']] } },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'FLOW', text: 'Responder', flow_id: '1' },
          { type: 'VOICE_CALL', text: 'Ligar agora' },
          { type: 'CATALOG', text: 'Ver catálogo' },
        ],
      },
      { type: 'SOMETHING_NEW' },
    ],
  };
  templates = () => Response.json({ templates: [form], count: 1, hasMore: false });
  open();
  await userEvent.click(await screen.findByText('pesquisa_de_satisfacao'));
  const dialog = await screen.findByRole('dialog', { name: 'pesquisa_de_satisfacao' });
  const preview = within(dialog).getByRole('region', { name: 'Como o contato vai ver' });
  expect(preview.textContent).toContain('Onde fica, Bia?');
  for (const words of ['Responder', 'Ligar agora', 'Ver catálogo', 'Localização'])
    expect(preview.textContent).toContain(words);
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'SOMETHING_NEW',
    'Localização',
    'um formulário (Flow)',
    'um botão de ligação pelo WhatsApp',
    'o catálogo',
  ]);
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  expect(within(dialog).getByRole('link').getAttribute('href')).toMatch(/whatsapp_manager/);
});

test('a code names itself one, and why it was refused', async () => {
  const code = {
    ...template('8', 'codigo', 'REJECTED'),
    category: 'AUTHENTICATION',
    rejectedReason: 'INVALID_FORMAT',
    supported: true,
    components: [
      { type: 'BODY', text: '*{{1}}* é o seu código.', example: { body_text: [['482913']] } },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copiar' }] },
    ],
  };
  templates = () => Response.json({ templates: [code], count: 1, hasMore: false });
  open();
  await userEvent.click(await screen.findByText('codigo'));
  const dialog = await screen.findByRole('dialog', { name: 'codigo' });
  within(dialog).getByText(/O formato não é válido/);
  within(dialog).getByText('um código de verificação');
  expect(within(dialog).getByRole('region').textContent).toContain('482913');
});

test('none yet: a sentence and the way to the first', async () => {
  templates = () => Response.json({ templates: [], count: 0, hasMore: false });
  open();
  expect(await heading('Nenhum modelo de mensagem ainda')).toBeTruthy();
  expect(add()).toHaveLength(2);
});

test('what filters leave out is not said to be missing', async () => {
  open('/?status=REJECTED');
  expect(await heading('Nenhum modelo encontrado')).toBeTruthy();
  expect(add()).toHaveLength(1);
});
