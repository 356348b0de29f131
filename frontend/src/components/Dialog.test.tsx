import { ChakraProvider } from '@chakra-ui/react';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, use, useState, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Button } from '@/components/Button';
import { watchFocus } from '@/lib/focus';
import { system } from '@/theme';
import { CancelButton, Dialog } from './Dialog';

let stop: () => void;

beforeEach(() => {
  // An element without a size cannot have the focus.
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
  vi.stubGlobal('CSS', { escape: String });
  stop = watchFocus();
});
afterEach(() => stop());

const NAME = <input aria-label="Nome" />;
const TABS = (
  <div role="tablist">
    <button role="tab">Geral</button>
  </div>
);
const FOOTER = (
  <>
    <CancelButton />
    <Button type="submit">Salvar</Button>
  </>
);

interface PageProps {
  children: ReactNode;
  dirty?: boolean;
  footer?: ReactNode;
  initialFocus?: () => HTMLElement | null;
  /** The row with the opening button is deleted meanwhile. */
  isRowGone?: boolean;
}

/** Two rows; the first opens a dialog. */
function Rows({ children, isRowGone = false, ...dialog }: PageProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <main id="content" tabIndex={-1}>
        <ul>
          {!isRowGone && (
            <li>
              <button onClick={() => setOpen(true)}>Abrir</button>
            </li>
          )}
          <li>
            <button>Vizinha</button>
          </li>
        </ul>
      </main>
      <Dialog open={open} onClose={() => setOpen(false)} title="Editar" footer={FOOTER} {...dialog}>
        {children}
      </Dialog>
    </>
  );
}

async function openWith(props: PageProps) {
  const page = (each: PageProps) => (
    <ChakraProvider value={system}>
      <Rows {...each} />
    </ChakraProvider>
  );
  const { rerender } = render(page(props));
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog');
  return { dialog, change: (changed: PageProps) => rerender(page(changed)) };
}

const hasFocus = (element: HTMLElement) =>
  waitFor(() => expect(document.activeElement).toBe(element));
/** Waits until the dialog is gone and the focus has been returned, one frame later. */
async function isGone() {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await act(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
const button = (name: string) => screen.getByRole('button', { name });

test('a dialog starts in its first field, behind a cross and a tab', async () => {
  const { dialog } = await openWith({
    children: (
      <>
        {TABS}
        <input type="hidden" />
        <input aria-label="Código" readOnly />
        <input aria-label="Fixo" disabled />
        {NAME}
        <textarea aria-label="Texto" />
      </>
    ),
  });
  await hasFocus(within(dialog).getByRole('textbox', { name: 'Nome' }));
});

test('of radio buttons it is the chosen one', async () => {
  await openWith({
    children: ['Um', 'Dois'].map((label) => (
      <input
        key={label}
        type="radio"
        name="way"
        aria-label={label}
        defaultChecked={label === 'Dois'}
      />
    )),
  });
  await hasFocus(screen.getByRole('radio', { name: 'Dois' }));
});

test('with nothing to fill in it is the dialog itself, on none of its buttons', async () => {
  const { dialog } = await openWith({ children: TABS });
  await hasFocus(dialog);
});

test('a field that comes later is the first then', async () => {
  const { dialog, change } = await openWith({ children: 'Carregando' });
  await hasFocus(dialog);
  change({ children: NAME });
  await hasFocus(screen.getByRole('textbox', { name: 'Nome' }));
});

test('who is somewhere in it already stays there when it changes', async () => {
  const { change } = await openWith({ children: TABS });
  await userEvent.tab();
  const where = document.activeElement;
  change({
    children: (
      <>
        {TABS}
        {NAME}
      </>
    ),
  });
  await screen.findByRole('textbox', { name: 'Nome' });
  expect(document.activeElement).toBe(where);
});

test('one that starts elsewhere says where', async () => {
  await openWith({ children: NAME, initialFocus: () => button('Salvar') });
  await hasFocus(button('Salvar'));
});

test.each(['{Escape}', '{Enter}'])('closed by %s it gives the focus back', async (key) => {
  const { dialog } = await openWith({ children: NAME });
  if (key === '{Enter}') {
    await userEvent.tab();
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancelar' }));
  }
  await userEvent.keyboard(key);
  await isGone();
  expect(document.activeElement).toBe(button('Abrir'));
});

test('what opened it is gone: the row beside it has the focus', async () => {
  const { change } = await openWith({ children: NAME });
  change({ children: NAME, isRowGone: true });
  await hasFocus(screen.getByRole('textbox', { name: 'Nome' }));
  await userEvent.keyboard('{Escape}');
  await isGone();
  expect(document.activeElement).toBe(button('Vizinha'));
});

test('with something unsaved, leaving asks once and going on loses no place', async () => {
  await openWith({ children: NAME, dirty: true });
  const field = screen.getByRole('textbox', { name: 'Nome' });
  await hasFocus(field);
  const question = () => screen.findByRole('alertdialog', { name: 'Descartar alterações?' });
  await userEvent.keyboard('{Escape}');
  await hasFocus(within(await question()).getByRole('button', { name: 'Continuar editando' }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await hasFocus(field);
  await userEvent.click(button('Cancelar'));
  await userEvent.click(within(await question()).getByRole('button', { name: 'Descartar' }));
  await isGone();
  expect(document.activeElement).toBe(button('Abrir'));
});

test('Ctrl with Enter submits the form of a dialog from any field, but not while it is busy', async () => {
  const submit = vi.fn((event: React.SyntheticEvent) => event.preventDefault());
  const dialog = (busy: boolean) => (
    <ChakraProvider value={system}>
      <Dialog
        open
        onClose={vi.fn()}
        title="Recado"
        onSubmit={submit}
        footer={
          <button type="submit" disabled={busy}>
            Salvar
          </button>
        }
      >
        <textarea aria-label="Texto" />
      </Dialog>
    </ChakraProvider>
  );
  const { rerender } = render(dialog(false));
  const field = await screen.findByRole('textbox', { name: 'Texto' });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(submit).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(submit).toHaveBeenCalledTimes(1);
  rerender(dialog(true));
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(submit).toHaveBeenCalledTimes(1);
});

test('content that still loads leaves the page and the dialog with its buttons in place', async () => {
  let arrive: (words: string) => void = () => undefined;
  const texts = new Promise<string>((resolve) => (arrive = resolve));
  const Late = () => <input aria-label={use(texts)} />;
  render(
    <ChakraProvider value={system}>
      <Suspense fallback="Nada">
        <h1>Filas</h1>
        <Dialog open onClose={() => undefined} title="Editar fila" footer={FOOTER}>
          <Late />
        </Dialog>
      </Suspense>
    </ChakraProvider>,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Editar fila' });
  expect(within(dialog).getByRole('status', { name: 'Carregando…' })).toBeTruthy();
  expect(within(dialog).getByRole('button', { name: 'Salvar' })).toBeTruthy();
  expect(screen.queryByText('Nada')).toBeNull();
  await act(async () => {
    arrive('Opções do menu');
    await texts;
  });
  await hasFocus(within(dialog).getByRole('textbox', { name: 'Opções do menu' }));
});
