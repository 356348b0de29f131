import { ChakraProvider } from '@chakra-ui/react';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, use } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useRecordDialogs } from '@/lib/useRecords';
import { system } from '@/theme';
import { RecordDialogs, RecordTable } from './RecordTable';

interface Row {
  id: number;
  name: string;
}

const ROWS: Row[] = [
  { id: 1, name: 'Vendas' },
  { id: 2, name: 'Trocas' },
];
const QUERY = { error: null, refetch: () => Promise.resolve() };

afterEach(cleanup);

/** A list page whose deletions finish when the test says so. */
function Records({ rows, search, ends }: { rows: Row[]; search?: string; ends?: (() => void)[] }) {
  const dialogs = useRecordDialogs<Row>();
  return (
    <>
      <RecordTable
        records={{ ...dialogs, rows, query: QUERY, ...(search && { search }) }}
        label="Filas"
        columns={[{ id: 'name', header: 'Nome', cell: ({ name }) => name }]}
        empty={{ icon: null, title: 'Nenhuma fila', text: 'Crie uma.', search: 'Nada encontrado' }}
        actions={({ name }) => ({
          name,
          edit: name !== 'Vendas' && `Editar ${name}`,
          remove: `Excluir ${name}`,
        })}
      />
      <button onClick={dialogs.add}>Nova fila</button>
      <RecordDialogs
        records={dialogs}
        form={(row) => <input aria-label={row ? `Fila ${row.name}` : 'Fila nova'} />}
        remove={{
          isPending: false,
          mutate: (_id, options) => {
            ends?.push(() => options?.onSettled?.(undefined, null, 0, undefined, {} as never));
          },
        }}
        deletion={({ name }) => ({ title: `Excluir ${name}?`, text: '', done: 'Excluída' })}
      />
    </>
  );
}

function show(page: Parameters<typeof Records>[0]) {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  render(
    <ChakraProvider value={system}>
      <Records {...page} />
    </ChakraProvider>,
  );
  return userEvent.setup();
}

test('a row opens its form, and has only the buttons that have words', async () => {
  const user = show({ rows: ROWS });
  expect(screen.queryByRole('button', { name: 'Editar Vendas' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Editar Trocas' }));
  expect(screen.getByLabelText('Fila Trocas')).toBeTruthy();
});

test('a new record begins with an empty form after another was open', async () => {
  const user = show({ rows: ROWS });
  await user.click(screen.getByRole('button', { name: 'Editar Trocas' }));
  await user.type(screen.getByLabelText('Fila Trocas'), 'abc');
  await user.click(screen.getByRole('button', { name: 'Nova fila' }));
  expect(screen.getByLabelText<HTMLInputElement>('Fila nova').value).toBe('');
});

test('a search that finds nothing says so without the advice for an empty list', () => {
  show({ rows: [], search: 'zzz' });
  expect(screen.getByText('Nada encontrado')).toBeTruthy();
  expect(screen.queryByText('Crie uma.')).toBeNull();
});

test('a deletion that ends late does not close the dialog opened meanwhile', async () => {
  const ends: (() => void)[] = [];
  const user = show({ rows: ROWS, ends });
  await user.click(screen.getByRole('button', { name: 'Excluir Trocas' }));
  await user.click(await screen.findByRole('button', { name: 'Excluir' }));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Nova fila' }));
  expect(ends).toHaveLength(1);
  act(() => ends[0]?.());
  expect(screen.getByLabelText('Fila nova')).toBeTruthy();
});

test('a deletion whose words still load leaves the table in place', () => {
  const Late = () => use(new Promise<string>(() => undefined));
  render(
    <ChakraProvider value={system}>
      <Suspense fallback="Nada">
        <h1>Filas</h1>
        <RecordDialogs
          records={{ open: { dialog: 'delete', row: { id: 1 } }, close: () => undefined }}
          form={() => null}
          remove={{ isPending: false, mutate: () => undefined }}
          deletion={() => ({ title: 'Excluir?', text: <Late />, done: '' })}
        />
      </Suspense>
    </ChakraProvider>,
  );
  expect(screen.getByRole('heading', { name: 'Filas' })).toBeTruthy();
  expect(screen.queryByText('Nada')).toBeNull();
});
