import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { Combobox } from './Combobox';

type Props = Partial<ComponentProps<typeof Combobox<string>>>;
const itself = (text: string) => text;

async function type(typed: string, props: Props) {
  render(
    <ChakraProvider value={system}>
      <Combobox
        aria-label="Contato"
        items={[]}
        itemKey={itself}
        itemLabel={itself}
        value={null}
        onChange={vi.fn()}
        onSearch={vi.fn()}
        minCharacters={3}
        {...props}
      />
    </ChakraProvider>,
  );
  await userEvent.type(screen.getByRole('combobox', { name: 'Contato' }), typed);
}

const KEEP_TYPING = 'Digite pelo menos 3 caracteres';

test.each([
  ['nothing that fits', 'ana', {}, 'Nada encontrado'],
  ['a search on its way', 'ana', { loading: true }, 'Buscando…'],
  ['another search after a failure', 'ana', { loading: true, error: 'Caiu.' }, 'Buscando…'],
  ['a failure', 'ana', { error: 'Caiu.' }, 'Caiu.'],
  ['too few characters', 'an', { loading: true, error: 'Caiu.' }, KEEP_TYPING],
])('the list says of %s what is so', async (_, typed, props, words) => {
  await type(typed, props);
  for (const each of ['Nada encontrado', 'Buscando…', 'Caiu.', KEEP_TYPING])
    expect(screen.queryByText(each) !== null, each).toBe(each === words);
});

test('what fits is offered although asking for more failed', async () => {
  await type('ana', { items: ['Ana'], error: 'Caiu.' });
  expect(await screen.findByRole('option', { name: 'Ana' })).toBeDefined();
  expect(screen.queryByText('Caiu.')).toBeNull();
});

const NAMES = ['Fernanda', 'Bruna Nandes', 'Nanda', 'Otto'];

/** A field in a form, and another field after it. */
function Form(props: Props) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <ChakraProvider value={system}>
      <Combobox
        aria-label="Contato"
        items={NAMES}
        itemKey={itself}
        itemLabel={itself}
        value={value}
        onChange={setValue}
        {...props}
      />
      <input aria-label="Recado" />
      <output>{value ?? 'ninguém'}</output>
    </ChakraProvider>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Contato' });
const offered = () => screen.getAllByRole('option').map((option) => option.textContent);
const highlighted = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;
const chosen = () => screen.getByRole('status').textContent;

test('the best match stands first, is highlighted and chosen by Enter', async () => {
  render(<Form />);
  await userEvent.type(field(), 'na');
  expect(offered()).toEqual(['Nanda', 'Bruna Nandes', 'Fernanda']);
  await vi.waitFor(() => expect(highlighted()).toBe('Nanda'));
  await userEvent.keyboard('{Enter}');
  expect(chosen()).toBe('Nanda');
  expect(field().value).toBe('Nanda');
});

test('the heading of the best match stands first', async () => {
  const groups: Record<string, string> = { Nanda: 'Filas', Fernanda: 'Pessoas' };
  render(<Form items={['Fernanda', 'Nanda']} itemGroup={(item) => groups[item] ?? ''} />);
  await userEvent.type(field(), 'na');
  expect(offered()).toEqual(['Nanda', 'Fernanda']);
  await vi.waitFor(() => expect(highlighted()).toBe('Nanda'));
});

test('Tab chooses the highlighted match and goes on', async () => {
  render(<Form />);
  await userEvent.type(field(), 'ot');
  await vi.waitFor(() => expect(highlighted()).toBe('Otto'));
  await userEvent.tab();
  expect(chosen()).toBe('Otto');
  expect(field().value).toBe('Otto');
  expect(screen.getByRole('textbox', { name: 'Recado' })).toBe(document.activeElement);
});

test('Tab through a field in which nothing was typed chooses nothing', async () => {
  render(<Form eager />);
  await userEvent.tab();
  expect(document.activeElement).toBe(field());
  await userEvent.tab();
  expect(chosen()).toBe('ninguém');
});

test.each([
  ['by Tab', () => userEvent.tab()],
  ['by Enter', () => userEvent.keyboard('{Enter}')],
  ['by Escape', () => userEvent.keyboard('{Escape}')],
  ['by a press elsewhere', () => userEvent.click(document.body)],
])('what is typed stays when nothing matches and the field is left %s', async (_, leave) => {
  render(<Form onSearch={vi.fn()} items={[]} />);
  await userEvent.type(field(), 'Maria Souza');
  await leave();
  await userEvent.tab();
  expect(field().value).toBe('Maria Souza');
  expect(chosen()).toBe('ninguém');
});

test('typing over the chosen one unsets it and keeps what is typed', async () => {
  render(<Form />);
  await userEvent.type(field(), 'otto{Enter}');
  expect(chosen()).toBe('Otto');
  await userEvent.type(field(), 'n');
  expect(field().value).toBe('Otton');
  expect(chosen()).toBe('ninguém');
});

test('while a search is on its way the results of the last one do not stand in for it', async () => {
  render(<Form onSearch={vi.fn()} loading />);
  await userEvent.type(field(), 'ottoni{Enter}');
  expect(screen.queryByRole('option')).toBeNull();
  expect(chosen()).toBe('ninguém');
  expect(field().value).toBe('ottoni');
});
