import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
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
