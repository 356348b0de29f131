import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { changesOf, formOfProfile, type Profile } from './profile';
import { ProfileDialog } from './ProfileDialog';
import type { Connection } from './types';

// An upload that never ends.
vi.mock('@/features/templates/api', () => ({ uploadSample: () => new Promise(() => undefined) }));

const PROFILE: Profile = {
  about: 'Feito à mão',
  address: '',
  description: 'Pratos.',
  email: 'loja@example.com',
  vertical: 'RETAIL',
  websites: ['https://loja.example/'],
  pictureUrl: '',
};
const refused = (status: number, body: object) =>
  new Response(JSON.stringify({ error: 'x', message: 'x', fields: {}, ...body }), { status });

let saved: unknown[];
let read: () => Response;
let write: () => Response;
const onClose = vi.fn();

beforeEach(() => {
  saved = [];
  read = () => new Response(JSON.stringify(PROFILE));
  write = () => new Response(JSON.stringify({ message: 'Perfil atualizado.' }));
  onClose.mockReset();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (_input: string, init?: RequestInit) => {
    if (init?.method !== 'PUT') return Promise.resolve(read());
    saved.push(JSON.parse(init.body as string));
    return Promise.resolve(write());
  });
});

const show = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ProfileDialog
          connection={{ id: 5, name: 'Loja', number: '551140028922' } as Connection}
          onClose={onClose}
        />
      </QueryClientProvider>
    </ChakraProvider>,
  );
const fill = async (label: string, text: string) => {
  await userEvent.clear(screen.getByLabelText(label));
  if (text) await userEvent.type(screen.getByLabelText(label), text);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Salvar' }));

test('only what was changed is sent', () => {
  const form = formOfProfile(PROFILE);
  expect(changesOf(form, PROFILE, '')).toEqual({});
  expect(changesOf({ ...form, email: '', site2: 'http://b.example' }, PROFILE, '4::a')).toEqual({
    email: '',
    websites: ['https://loja.example/', 'http://b.example'],
    pictureHandle: '4::a',
  });
});

test('the preview follows what is typed, and what was changed is saved', async () => {
  show();
  const preview = within(await screen.findByRole('region', { name: 'Como o contato vê' }));
  preview.getByText('Loja e varejo');
  preview.getByText('Feito à mão');
  await fill('Endereço', 'Rua A, 1');
  preview.getByText('Rua A, 1');
  await save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(saved).toEqual([{ address: 'Rua A, 1' }]);
});

test('what Meta would refuse is told at its field and not sent', async () => {
  show();
  await screen.findByLabelText('Recado');
  await fill('Recado', '');
  await fill('E-mail', 'loja');
  await fill('Site', 'loja.example');
  await save();
  await screen.findByText('A Meta não aceita o recado vazio. Escreva outro.');
  screen.getByText('E-mail inválido');
  screen.getByText('Comece com https:// ou http://.');
  expect(saved).toEqual([]);
});

test('why Meta refuses is told in the dialog, which stays', async () => {
  write = () =>
    refused(424, { code: 'ERR_PROFILE_UNAVAILABLE', reasonCode: 'credentials_refused' });
  show();
  await screen.findByLabelText('Recado');
  await fill('Recado', 'Outro');
  await save();
  expect((await screen.findByRole('alert')).textContent).toMatch(/token|acesso|Meta/);
  expect(onClose).not.toHaveBeenCalled();
});

test('a profile that cannot be read says why and is asked for again', async () => {
  read = () => refused(424, { code: 'ERR_PROFILE_UNAVAILABLE' });
  show();
  await screen.findByText('A Meta não respondeu sobre o perfil do número. Tente de novo.');
  read = () => new Response(JSON.stringify(PROFILE));
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await screen.findByLabelText('Recado');
});

test('a picture that is still uploading is waited for, and an unknown category is kept', async () => {
  read = () => new Response(JSON.stringify({ ...PROFILE, vertical: 'MATRIMONY' }));
  const { container } = show();
  const vertical = await screen.findByRole('combobox');
  expect(vertical).toHaveProperty('value', 'MATRIMONY');
  const input = container.ownerDocument.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no input');
  await userEvent.upload(input, new File(['x'], 'a.png', { type: 'image/png' }));
  await screen.findByRole('button', { name: 'Salvar', busy: true });
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(onClose).not.toHaveBeenCalled();
});
