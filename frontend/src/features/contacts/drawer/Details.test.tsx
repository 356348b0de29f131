import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider, type UseQueryResult } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Ticket } from '@/features/tickets/api';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ContactNumber } from '../ContactNumber';
import type { Contact } from '../types';
import { Details } from './Details';

const MARIANA: Contact = {
  id: 3,
  name: 'Mariana',
  number: '5511984321107',
  email: 'mari@exemplo.com.br',
  username: 'mari.a',
  userId: 'BR.1349',
  profilePicUrl: '',
  isGroup: false,
  ignoreMessages: false,
  tags: [],
  companyId: 2,
  whatsappId: 1,
  whatsapp: { id: 1, name: 'Loja Centro' },
  extraInfo: [{ id: 1, name: 'CPF', value: '111.444.777-35' }],
  createdAt: '2026-01-05T15:00:00Z',
  updatedAt: '2026-01-05T15:00:00Z',
};

const page = (content: React.ReactNode) => (
  <ChakraProvider value={system}>
    <QueryClientProvider client={queryClient}>{content}</QueryClientProvider>
  </ChakraProvider>
);

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([])));
});

/** What the card of a contact says, line by line. */
function lines(changes: Partial<Contact> = {}, referral: Ticket['referral'] = null) {
  const query = { data: { ...MARIANA, ...changes } } as UseQueryResult<Contact>;
  const ticket = { id: 50, contactId: 3, referral } as Ticket;
  render(page(<Details {...{ query, ticket }} tags={null} edit={null} cost={null} />));
  const section = screen.getByText('Dados').closest('section') ?? document.body;
  const names = within(section).getAllByRole('term');
  const values = within(section).getAllByRole('definition');
  return Object.fromEntries(names.map((name, at) => [name.textContent, values[at]?.textContent]));
}

test('the card says all by which somebody is known', () => {
  expect(lines()).toEqual({
    'E-mail': 'mari@exemplo.com.br',
    Usuário: '@mari.a',
    'ID no WhatsApp': 'BR.1349',
    Origem: 'Loja Centro',
    Desde: '05/01/2026',
  });
  screen.getByText('111.444.777-35');
});

test('what is not known is said where somebody could give it, and left out elsewhere', () => {
  expect(lines({ email: '', username: '', userId: '', whatsapp: null })).toEqual({
    'E-mail': 'Não informado',
    Origem: 'Cadastro manual',
    Desde: '05/01/2026',
  });
});

test('a group has no e-mail', () => {
  expect(lines({ isGroup: true, username: '', userId: '' })).not.toHaveProperty('E-mail');
});

test.each([
  [{ source_type: 'ad', headline: 'Inverno' }, 'Anúncio: Inverno'],
  [{ source_type: 'post', headline: 'Novas canecas' }, 'Publicação: Novas canecas'],
  [{ source_type: 'ad' }, 'Anúncio'],
])('it says by which ad somebody came: %j', (referral, words) => {
  expect(lines({}, referral)).toHaveProperty('Veio por', words);
});

test.each([
  [{}, '+55 11 98432-1107 · @mari.a'],
  [{ username: '' }, '+55 11 98432-1107'],
  [{ number: 'BR.1349@lid', username: '' }, 'BR.1349'],
  [{ number: 'BR.1349@lid' }, '@mari.a'],
  [{ number: '' }, '@mari.a'],
  [{ number: '', username: '' }, 'Sem número'],
  [{ number: '120363041234567890@g.us', isGroup: true, username: '' }, 'Grupo'],
])('in a list somebody is called by %j', (changes, words) => {
  const { container } = render(page(<ContactNumber contact={{ ...MARIANA, ...changes }} />));
  expect(container.textContent).toBe(words);
});
