import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { MergeDialog } from './MergeDialog';
import type { Contact } from './types';

const contact = (id: number, changes: Partial<Contact>): Contact => ({
  id,
  name: `Contato ${id}`,
  number: '',
  email: '',
  username: '',
  userId: '',
  profilePicUrl: '',
  isGroup: false,
  ignoreMessages: false,
  tags: [],
  companyId: 2,
  whatsappId: null,
  whatsapp: null,
  extraInfo: [],
  createdAt: '2026-01-01T12:00:00Z',
  updatedAt: '2026-01-01T12:00:00Z',
  ...changes,
});
const keep = contact(1, { name: 'Ana Souza', number: '5511987654321' });
const gone = contact(2, { name: 'Ana Antiga', number: '5511912345678', email: 'ana@exemplo.com' });
const group = contact(3, { name: 'Ana e amigos', isGroup: true });

const onClose = vi.fn();
let calls: string[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  openSession({ token: 'token', user: makeUser() });
  onClose.mockReset();
  calls = [];
  answers = {
    '/contacts/1/merge': () =>
      Response.json({ merge: { id: 9, contactId: 1, name: gone.name }, contact: keep }),
  };
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', (url: string, options: RequestInit) => {
    const path = new URL(url, 'http://localhost').pathname.replace('/api', '');
    calls.push(
      `${options.method ?? 'GET'} ${path} ${typeof options.body === 'string' ? options.body : ''}`.trim(),
    );
    const own = answers[path];
    if (own) return Promise.resolve(own());
    if (path.endsWith('/tickets'))
      return Promise.resolve(Response.json({ tickets: [], count: 3, hasMore: false }));
    return Promise.resolve(
      Response.json({ contacts: [keep, gone, group], count: 3, hasMore: false }),
    );
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MergeDialog contact={keep} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Mesclar' }));
async function choose() {
  await userEvent.type(screen.getByRole('combobox', { name: /Outro contato/ }), 'ana');
  await userEvent.click(await screen.findByRole('option', { name: /Ana Antiga/ }));
}

test('without a choice nothing is sent, and the field says so', async () => {
  await submit();
  expect(await screen.findByText('Escolha o outro contato.')).toBeTruthy();
  expect(calls).toEqual([]);
});

test('neither the contact itself nor a group can be chosen', async () => {
  await userEvent.type(screen.getByRole('combobox', { name: /Outro contato/ }), 'ana');
  await screen.findByRole('option', { name: /Ana Antiga/ });
  expect(screen.getAllByRole('option')).toHaveLength(1);
});

test('what remains of both is shown, then they are merged', async () => {
  await choose();
  const preview = await screen.findByRole('region', { name: 'Como fica' });
  const rowOf = (name: RegExp) => within(preview).getByRole('row', { name }).textContent;
  expect(rowOf(/^WhatsApp/)).toContain('+55 11 91234-5678Vai para as informações adicionais');
  expect(rowOf(/^E-mail/)).toContain('—ana@exemplo.com');
  expect(await within(preview).findByRole('row', { name: 'Atendimentos 3 3' })).toBeTruthy();
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(calls).toContain('POST /contacts/1/merge {"contactId":2}');
});

test('a refusal is said in words and the choice stays', async () => {
  answers['/contacts/1/merge'] = () =>
    Response.json(
      { error: 'x', code: 'ERR_NO_CONTACT_FOUND', message: 'x', fields: {} },
      { status: 404 },
    );
  await choose();
  await submit();
  expect((await screen.findByRole('alert')).textContent).toContain('ontato');
  expect(screen.getByRole('region', { name: 'Como fica' })).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

test('a search that failed says why in its list', async () => {
  answers['/contacts/'] = () =>
    Response.json(
      { error: 'x', code: 'ERR_NO_PERMISSION', message: 'x', fields: {} },
      { status: 403 },
    );
  await userEvent.type(screen.getByRole('combobox', { name: /Outro contato/ }), 'ana');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Você não tem permissão para acessar este recurso.',
  );
  expect(screen.queryByText('Nada encontrado')).toBeNull();
});
