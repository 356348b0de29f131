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
import { makeTicket } from '../testData';
import type { ProductList } from '../types';
import type { OutgoingMenu } from './form';
import InteractiveDialog from './InteractiveDialog';

const onClose = vi.fn();
const onSend = vi.fn<(menu: OutgoingMenu) => void>();
const MUG = { id: 'SKU-1', name: 'Caneca', price: 'R$ 60,00', imageUrl: '', available: true };
const PLATE = { id: 'SKU-2', name: 'Prato', price: 'R$ 80,00', imageUrl: '', available: false };
let catalog: () => Response;

function show(isWide = true) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: isWide && query.includes('min-width'),
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  const element = <InteractiveDialog ticket={makeTicket()} onClose={onClose} onSend={onSend} />;
  const router = createMemoryRouter([{ path: '/', element }]);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return userEvent.setup({ delay: null });
}
const choose = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const preview = () => within(screen.getByRole('region', { name: 'Prévia' }));
const input = () => onSend.mock.calls[0]?.[0].input;

beforeEach(() => {
  onClose.mockReset();
  onSend.mockReset();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  const found: ProductList = {
    catalog: { id: '77', name: 'Loja' },
    products: [MUG, PLATE],
    hasMore: false,
  };
  catalog = () => Response.json(found);
  vi.stubGlobal('fetch', () => Promise.resolve(catalog()));
  Element.prototype.scrollIntoView = vi.fn();
  Element.prototype.scrollTo = vi.fn();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
});

test('buttons are filled in, seen as the contact sees them, and sent', async () => {
  const user = show();
  await choose('Botões');
  await user.type(field('Texto'), ' Quando você recebe? ');
  await user.type(field('Botão 1'), 'De manhã');
  await user.type(field('Botão 2'), 'À tarde');
  preview().getByText('Quando você recebe?');
  preview().getByText('De manhã');
  await press('Enviar');
  expect(input()).toEqual({
    kind: 'buttons',
    body: 'Quando você recebe?',
    buttons: [{ title: 'De manhã' }, { title: 'À tarde' }],
  });
  expect(onSend.mock.calls[0]?.[0].text).toBe('Quando você recebe?');
});

test('what Meta would refuse is said in words at its field, and nothing is sent', async () => {
  const user = show();
  await choose('Botões');
  await user.type(field('Botão 1'), 'Sim');
  await user.type(field('Botão 2'), 'sim');
  await press('Enviar');
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Preencha este campo.',
    'Este título se repete. Dê um título próprio a cada opção.',
  ]);
  await waitFor(() => expect(document.activeElement).toBe(field('Texto')));
  await user.click(field('Texto'));
  await user.paste('x'.repeat(1025));
  screen.getByText('Use no máximo 1024 caracteres.');
});

test('a list has sections, and ten rows in all', async () => {
  const user = show();
  await choose('Lista');
  await user.type(field('Texto'), 'Escolha um horário');
  await user.type(field('Opção 1'), '8 h');
  await user.type(field('Descrição (opcional)'), 'Com Ana');
  await press('Adicionar seção');
  const titles = screen.getAllByRole('textbox', { name: 'Título da seção' });
  await user.type(titles[0] as HTMLElement, 'Manhã');
  await user.type(titles[1] as HTMLElement, 'Tarde');
  await user.type(screen.getAllByRole('textbox', { name: 'Opção 1' })[1] as HTMLElement, '14 h');
  preview().getByText('Tarde');
  await press('Enviar');
  expect(input()).toEqual({
    kind: 'list',
    body: 'Escolha um horário',
    button: 'Ver opções',
    sections: [
      { title: 'Manhã', rows: [{ title: '8 h', description: 'Com Ana' }] },
      { title: 'Tarde', rows: [{ title: '14 h' }] },
    ],
  });
  for (let count = 2; count < 10; count += 1)
    await user.click(screen.getAllByRole('button', { name: 'Adicionar opção' })[0] as HTMLElement);
  expect(screen.queryByRole('button', { name: 'Adicionar opção' })).toBeNull();
  screen.getByText('Uma lista leva até 10 opções ao todo.');
});

test('an address without its beginning is refused, and kept texts follow to another kind', async () => {
  const user = show();
  await choose('Botão com link');
  await user.type(field('Texto'), 'Acompanhe o pedido');
  await user.type(field('Texto do botão'), 'Rastrear');
  await user.type(field('Endereço'), 'loja.example');
  await press('Enviar');
  screen.getByText('Informe um endereço que comece com https:// ou http://.');
  await choose('Pedir localização');
  expect(field('Texto').value).toBe('Acompanhe o pedido');
  await press('Enviar');
  expect(input()).toEqual({ kind: 'location_request', body: 'Acompanhe o pedido' });
});

test('products are searched in the catalogue', async () => {
  const user = show();
  await choose('Vários produtos');
  const picker = await screen.findByRole('combobox', { name: 'Adicionar produto' });
  await user.click(picker);
  await user.click(await screen.findByRole('option', { name: /Prato/ }));
  await user.click(screen.getByRole('combobox', { name: 'Adicionar produto' }));
  await user.click(await screen.findByRole('option', { name: /Caneca/ }));
  screen.getByRole('button', { name: 'Remover Prato' });
  await user.type(field('Título'), 'Novidades');
  await user.type(field('Texto'), 'Escolhemos para você');
  preview().getByText('R$ 60,00');
  await press('Enviar');
  expect(input()).toEqual({
    kind: 'product_list',
    header: 'Novidades',
    body: 'Escolhemos para você',
    sections: [{ productIds: ['SKU-2', 'SKU-1'] }],
  });
});

test('without a catalogue the way to one is shown, and nothing can be sent', async () => {
  catalog = () => Response.json({ catalog: null, products: [], hasMore: false });
  show();
  await choose('Produto');
  await screen.findByText('Nenhum catálogo ligado');
  screen.getByRole('link', { name: 'Abrir o Gerenciador do WhatsApp' });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar' }).disabled).toBe(true);
});

test('a catalogue that Meta does not tell is said with its reason', async () => {
  catalog = () =>
    Response.json(
      { error: 'x', code: 'ERR_CATALOG_UNAVAILABLE', message: 'A Meta não respondeu a tempo.' },
      { status: 424 },
    );
  show();
  await choose('Catálogo');
  await screen.findByText('Não foi possível ler o catálogo');
  screen.getByRole('button', { name: 'Tentar de novo' });
});

test('Escape asks for what was typed, also on a narrow screen after going back', async () => {
  const user = show(false);
  await choose('Pedir telefone');
  await user.type(field('Texto'), 'Qual é o seu número?');
  await press('Voltar');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Descartar' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
