import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { system } from '@/theme';
import { ErrorState } from './States';

test('a list that does not load says so, why, and tries again', async () => {
  const onRetry = vi.fn();
  render(
    <ChakraProvider value={system}>
      <ErrorState error={new ApiError(500, 'ERR_NEW', 'O banco não responde.')} onRetry={onRetry} />
    </ChakraProvider>,
  );
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Não foi possível carregar a lista de registros');
  expect(alert.textContent).toContain('O banco não responde.');
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(onRetry).toHaveBeenCalledOnce();
});
