import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { CheckList } from './CheckList';
import { Field } from './Field';

function open(props: Pick<ComponentProps<typeof CheckList>, 'options' | 'error'>) {
  render(
    <ChakraProvider value={system}>
      <Field label="Filas">
        <CheckList value={[]} onChange={vi.fn()} empty="Ainda não há filas." {...props} />
      </Field>
    </ChakraProvider>,
  );
  return screen.getByRole('group', { name: 'Filas' });
}

const EMPTY = 'Ainda não há filas.';

test('while nobody knows the options nothing is said of them', () => {
  const group = open({ options: undefined });
  expect(group.getAttribute('aria-busy')).toBe('true');
  expect(group.textContent).toBe('');
});

test('options that did not come say why', () => {
  const group = open({ options: undefined, error: 'Caiu.' });
  expect(group.getAttribute('aria-busy')).toBe('false');
  expect(screen.getByRole('alert').textContent).toBe('Caiu.');
  expect(group.textContent).toBe('Caiu.');
});

test('that there are none is said once it is known', () => {
  expect(open({ options: [] }).textContent).toBe(EMPTY);
});

test('known options stay when asking for them anew fails', () => {
  open({ options: [{ id: 1, name: 'Vendas' }], error: 'Caiu.' });
  expect(screen.getByRole('checkbox', { name: 'Vendas' })).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
