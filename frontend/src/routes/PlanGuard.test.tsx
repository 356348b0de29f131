import { ChakraProvider } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { PlanGuard } from './PlanGuard';

afterEach(() => {
  vi.useRealTimers();
});

test('what the plan does not hold is told, and a second later one is at home', () => {
  vi.useFakeTimers();
  const router = createMemoryRouter(
    [
      { path: '/', element: <p>início</p> },
      { path: '/prompts', element: <PlanGuard /> },
    ],
    { initialEntries: ['/prompts'] },
  );
  render(
    <ChakraProvider value={system}>
      <RouterProvider router={router} />
    </ChakraProvider>,
  );
  expect(screen.getByRole('alert').textContent).toBe(
    'Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.',
  );
  act(() => {
    vi.advanceTimersByTime(900);
  });
  expect(router.state.location.pathname).toBe('/prompts');
  act(() => {
    vi.advanceTimersByTime(200);
  });
  expect(router.state.location.pathname).toBe('/');
});
