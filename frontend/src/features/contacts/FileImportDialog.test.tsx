import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { FileImportDialog } from './FileImportDialog';

const file = new File(['pessoa;zap;clube\nAna;11 98000-0100;Ouro\n'], 'agenda.csv');
const row = {
  row: 2,
  name: 'Ana',
  number: '+55 11 98000-0100',
  email: '',
  username: '',
  userId: '',
  extraInfo: [{ name: 'clube', value: 'Ouro' }],
  errorCode: '',
  isDuplicate: false,
};
const guessed = {
  sheet: 0,
  headerRow: 1,
  nameColumn: null,
  numberColumn: null,
  emailColumn: null,
  usernameColumn: null,
  userIdColumn: null,
  columns: ['pessoa', 'zap', ''],
  rows: [],
};
const made = {
  id: 7,
  status: 'waiting',
  fileName: 'agenda.csv',
  rowsCount: null,
  rowsRead: 0,
  errorCode: null,
  user: null,
  createdAt: '2026-01-01T12:00:00Z',
  finishedAt: null,
};

let uploads: { path: string; form: Record<string, FormDataEntryValue> }[];
let answer: (path: string, form: FormData) => unknown;

beforeEach(() => {
  openSession({ token: 'token', user: makeUser() });
  uploads = [];
  answer = (path, form) => {
    if (path === '/contacts/import-file') return made;
    const [name, number] = ['nameColumn', 'numberColumn'].map((key) => form.get(key));
    return {
      ...guessed,
      nameColumn: name === null ? null : Number(name),
      numberColumn: number === null ? null : Number(number),
      rows: number === null ? [] : [row, { ...row, row: 3, errorCode: 'ERR_ROW_NUMBER' }],
    };
  };
  vi.spyOn(api, 'get').mockResolvedValue({ import: null });
  vi.spyOn(api, 'upload').mockImplementation((path, form) => {
    uploads.push({ path, form: Object.fromEntries(form) });
    return Promise.resolve().then(() => answer(path, form) as never);
  });
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  closeSession();
  vi.restoreAllMocks();
});

async function choose() {
  const user = userEvent.setup();
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <FileImportDialog onClose={() => undefined} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await screen.findByRole('button', { name: 'Escolher arquivo' });
  const picker = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!picker) throw new Error('There is no file chooser');
  await user.upload(picker, file);
  return user;
}

test('nothing is imported before the columns are chosen and the rows shown', async () => {
  const user = await choose();
  const submit = await screen.findByRole<HTMLButtonElement>('button', { name: 'Importar' });
  expect(submit.disabled).toBe(true);
  screen.getByText(/Escolha a coluna do número/);
  await user.selectOptions(screen.getByLabelText('Número'), 'zap');
  const shown = await screen.findByRole('region', { name: 'Primeiras linhas, como serão salvas' });
  const [head, good, faulty] = within(shown).getAllByRole('row');
  expect(head?.textContent).toBe('LinhaNúmeroInformações adicionais');
  expect(good?.textContent).toContain('+55 11 98000-0100clube: Ouro');
  expect(faulty?.textContent).toContain('só com dígitos');
  expect(uploads.map(({ path }) => path)).toEqual([
    '/contacts/import-file/preview',
    '/contacts/import-file/preview',
  ]);
});

test('the chosen columns are sent with the file', async () => {
  const user = await choose();
  await user.selectOptions(await screen.findByLabelText('Número'), 'zap');
  await user.selectOptions(screen.getByLabelText('Nome'), 'pessoa');
  await screen.findByRole('columnheader', { name: 'Nome' });
  await vi.waitFor(() => expect(uploads).toHaveLength(3));
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Importar' });
  await vi.waitFor(() => expect(submit.disabled).toBe(false));
  await user.click(submit);
  await screen.findByText('agenda.csv está na fila');
  expect(uploads.at(-1)).toMatchObject({
    path: '/contacts/import-file',
    form: { sheet: '0', headerRow: '1', nameColumn: '0', numberColumn: '1' },
  });
  expect(uploads.at(-1)?.form).not.toHaveProperty('emailColumn');
});

test('a marked row tells that its contact is there, and an untitled column has a number', async () => {
  answer = () => ({
    ...guessed,
    numberColumn: 1,
    rows: [{ ...row, isDuplicate: true, name: 'Lia' }],
  });
  await choose();
  const shown = await screen.findByRole('region', { name: 'Primeiras linhas, como serão salvas' });
  within(shown).getByText('Já existe');
  const email = screen.getByLabelText('E-mail');
  within(email).getByRole('option', { name: 'Coluna 3' });
});

test('a refused file can be chosen anew', async () => {
  answer = () => {
    throw new ApiError(415, 'ERR_CONTACT_FILE_TYPE', '');
  };
  await choose();
  expect((await screen.findByRole('alert')).textContent).toContain('Envie um arquivo .csv');
  const again = screen.getByRole<HTMLButtonElement>('button', { name: 'Escolher arquivo' });
  expect(again.disabled).toBe(false);
});
