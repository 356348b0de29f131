import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation, type Location } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import type { FirstRun } from './api';
import { FirstRunList } from './FirstRunList';

const NOTHING: FirstRun = {
  done: { queues: false, number: false, team: false, message: false },
  number: '',
  hasNumber: false,
  isEmpty: true,
  putAway: vi.fn(),
};

function Arrived() {
  const { pathname, state } = useLocation() as Location<unknown>;
  return <p>{`${pathname} ${JSON.stringify(state)}`}</p>;
}

function show(firstRun: Partial<FirstRun> = {}) {
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <Routes>
          <Route path="/" element={<FirstRunList firstRun={{ ...NOTHING, ...firstRun }} />} />
          <Route path="*" element={<Arrived />} />
        </Routes>
      </MemoryRouter>
    </ChakraProvider>,
  );
}

beforeEach(() => openSession({ token: 'abc', user: makeUser() }));

test.each([
  ['Conecte um número', '/connections'],
  ['Crie as filas', '/queues'],
  ['Convide a equipe', '/users'],
])('“%s” leads to its page with the form open', async (name, path) => {
  show();
  await userEvent.click(screen.getByRole('link', { name: new RegExp(name) }));
  screen.getByText(`${path} {"add":true}`);
});

test('a number that is there but not connected is looked after, not added again', async () => {
  show({ hasNumber: true });
  await userEvent.click(screen.getByRole('link', { name: /Conecte um número/ }));
  screen.getByText('/connections null');
});

test('what is done is ticked and leads nowhere', () => {
  show({ done: { ...NOTHING.done, queues: true } });
  screen.getByText('1 de 4 passos feitos');
  expect(screen.getAllByRole('img', { name: 'Feito' })).toHaveLength(1);
  expect(screen.queryByRole('link', { name: /Crie as filas/ })).toBeNull();
});

test('a connected number is written to from one’s own WhatsApp', () => {
  show({ done: { ...NOTHING.done, number: true }, number: '5511940028922' });
  expect(screen.getByRole('link', { name: 'Abrir no WhatsApp' }).getAttribute('href')).toBe(
    'https://wa.me/5511940028922',
  );
});

test('in the demo it is written to from the customers’ telephone', () => {
  openSession({ token: 'abc', user: makeUser(), simulator: true });
  show({ done: { ...NOTHING.done, number: true }, number: '5511940028922' });
  expect(
    screen.getByRole('link', { name: 'Abrir o celular dos clientes' }).getAttribute('href'),
  ).toBe('/simulator');
});
