import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider, useMutation } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { queryClient } from '@/lib/queryClient';
import { toaster } from '@/lib/toast';
import { system } from '@/theme';
import { ConfirmDelete } from './ConfirmDelete';

const onClose = vi.fn();

function Question({ failure }: { failure: Error }) {
  const remove = useMutation<unknown, Error, number>({ mutationFn: () => Promise.reject(failure) });
  return (
    <ConfirmDelete id={3} title="Excluir Ana?" done="Excluída." remove={remove} onClose={onClose}>
      Os atendimentos dela ficam.
    </ConfirmDelete>
  );
}

test.each([
  [
    'what the server says',
    new ApiError(400, 'ERR_NEW', 'Ana é a única admin.'),
    'Ana é a única admin.',
  ],
  ['ours, where it says nothing', new TypeError('x'), 'Algo deu errado. Tente novamente.'],
])('a deletion that is refused closes with %s', async (_, failure, words) => {
  onClose.mockReset();
  const create = vi.spyOn(toaster, 'create');
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <Question failure={failure} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Excluir' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(create.mock.calls.map(([{ title, type }]) => [type, title])).toEqual([['error', words]]);
});
