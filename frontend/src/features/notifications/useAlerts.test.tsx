import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as desktop from '@/lib/desktop';
import { toast } from '@/lib/toast';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useAlerts } from './useAlerts';

const listeners = new Map<string, (event: object) => void>();

vi.mock('@/lib/socket', async (original) => ({
  ...(await original<object>()),
  useCompanyEvent: (name: string, listener: (event: object) => void) =>
    listeners.set(name, listener),
}));

const ticket = { id: 4, uuid: 'abc', contact: { name: 'Iracema Luz' } };

function Heard() {
  useAlerts();
  return useLocation().pathname;
}

function open(at: string, granted: string[] = []) {
  openSession({ token: 'token', user: { ...makeUser(), granted } as ReturnType<typeof makeUser> });
  render(
    <MemoryRouter initialEntries={[at]}>
      <Heard />
    </MemoryRouter>,
  );
}
const say = (name: string, event: object) => listeners.get(name)?.({ ticket, ...event });

afterEach(cleanup);
beforeEach(() => {
  vi.spyOn(toast, 'news').mockImplementation(() => undefined);
  vi.spyOn(desktop, 'showOnDesktop').mockImplementation(() => undefined);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

test.each([
  [
    { kind: 'first_answer', missed: true },
    'Prazo perdido: Iracema Luz espera a primeira resposta.',
  ],
  [{ kind: 'next_answer', missed: false }, 'O prazo da resposta a Iracema Luz está acabando.'],
])('a deadline is told of in the page and on the desktop, and leads there', (event, words) => {
  open('/');
  say('slaAlert', event);
  expect(toast.news).toHaveBeenCalledWith(words, 'Abrir', expect.any(Function));
  expect(desktop.showOnDesktop).toHaveBeenCalledWith(
    expect.objectContaining({ title: 'Iracema Luz', body: words }),
  );
  act(() => vi.mocked(toast.news).mock.calls[0]?.[2]());
  expect(screen.getByText('/tickets/abc')).toBeTruthy();
});

test('who looks at the conversation reads it in the page alone', () => {
  open('/tickets/abc');
  say('ruleAlert', { name: 'Ninguém espera demais', text: '' });
  expect(toast.news).toHaveBeenCalledOnce();
  expect(desktop.showOnDesktop).not.toHaveBeenCalled();
});

test('what nobody answered calls the supervisors', () => {
  open('/');
  say('assignmentAlert', { returns: 3 });
  expect(toast.news).not.toHaveBeenCalled();
  open('/', ['tickets:seeAll']);
  say('assignmentAlert', { returns: 3 });
  expect(vi.mocked(toast.news).mock.calls[0]?.[0]).toMatch(/precisa da supervisão/);
});
