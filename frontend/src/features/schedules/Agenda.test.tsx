import { ChakraProvider } from '@chakra-ui/react';
import { render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { Agenda } from './Agenda';
import type { Schedule } from './types';

afterEach(() => vi.useRealTimers());

test('a day is headed by DD/MM and its weekday, and named in full', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 27, 9) });
  const schedules = [27, 28].map(
    (day) =>
      ({
        id: day,
        body: 'Até logo!',
        sendAt: new Date(2026, 10, day, 10).toISOString(),
        status: 'PENDENTE',
        contact: { id: 2, name: 'Ana Prado' },
        mediaName: null,
      }) as Schedule,
  );
  Element.prototype.scrollIntoView = vi.fn();
  render(
    <ChakraProvider value={system}>
      <Agenda schedules={schedules} onEdit={vi.fn()} onDelete={vi.fn()} />
    </ChakraProvider>,
  );
  const heading = (name: string) =>
    within(screen.getByRole('region', { name })).getByRole('heading').textContent;
  expect(heading('sexta-feira, 27 de novembro')).toBe('27/11 sexHoje');
  expect(heading('sábado, 28 de novembro')).toBe('28/11 sáb');
});
