import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queuesQuery } from '@/features/queues/api';
import { userOptionsQuery } from '@/features/users/api';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { makeActivity, makeTicket } from '../testData';
import { writeNote } from './drafts';
import { NoteField } from './NoteField';

const onClose = vi.fn();
let calls: [string, unknown][];
let refuses: boolean;
let presences: unknown[];
/** The server answers a saving after this. */
let held: Promise<void>;

beforeEach(() => {
  held = Promise.resolve();
  calls = [];
  refuses = false;
  presences = [];
  onClose.mockClear();
  localStorage.clear();
  writeNote(7, 50, '', true);
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const { pathname } = new URL(input, 'http://balcao.test');
    if (!init?.method || init.method === 'GET')
      return Promise.resolve(Response.json(pathname === '/api/presence' ? presences : []));
    calls.push([`${init.method} ${pathname}`, JSON.parse(init.body as string)]);
    return held.then(() =>
      refuses
        ? Response.json({ code: 'ERR_MENTION_NOT_READABLE', message: 'Não.' }, { status: 400 })
        : Response.json({ ...makeActivity(5, 1), kind: 'noted' }, { status: 201 }),
    );
  });
  queryClient.setQueryData(queuesQuery().queryKey, []);
  queryClient.setQueryData(userOptionsQuery().queryKey, [
    { ...makeUser(), id: 9, name: 'Lia Prado' },
    { ...makeUser(), id: 10, name: 'Bruno' },
  ]);
});

function open() {
  const { unmount } = render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <NoteField ticket={makeTicket()} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return {
    user: userEvent.setup({ delay: null }),
    input: screen.getByLabelText<HTMLTextAreaElement>('Nota para a equipe'),
    unmount,
  };
}

test('Alt+Enter saves the note with whom it mentions; the keys of a message do not', async () => {
  const { user, input } = open();
  expect(document.activeElement).toBe(input);
  await user.keyboard('Ver com @li');
  expect(screen.getByRole('option', { name: /Lia Prado/, selected: true })).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(input.value).toBe('Ver com @Lia Prado ');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('hoje{Enter}{Control>}{Enter}{/Control}');
  expect(input.value).toBe('Ver com @Lia Prado hoje\n');
  expect(calls).toEqual([]);
  await user.keyboard('{Alt>}{Enter}{/Alt}');
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(calls).toEqual([
    [
      'POST /api/tickets/50/notes',
      {
        text: 'Ver com @Lia Prado hoje\n',
        userIds: [9],
        queueIds: [],
        clientId: expect.any(String) as string,
      },
    ],
  ]);
  expect(input.value).toBe('');
});

test('a name that was taken out again is not mentioned', async () => {
  const { user } = open();
  await user.keyboard('@bru{Enter}{Backspace}{Backspace}ã veja');
  await user.click(screen.getByRole('button', { name: 'Salvar nota' }));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.[1]).toMatchObject({ text: '@Brunã veja', userIds: [], queueIds: [] });
});

test('what is written stays, also when the server refuses it', async () => {
  refuses = true;
  const { user, unmount } = open();
  await user.keyboard('Ligar amanhã{Alt>}{Enter}{/Alt}');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  unmount();
  expect(open().input.value).toBe('Ligar amanhã');
});

/** Holds the server's answers; returns what lets them go and awaits that the note is saved. */
function hold() {
  let letGo = () => {};
  held = new Promise((resolve) => (letGo = resolve));
  return async () => {
    letGo();
    await vi.waitFor(() => expect(queryClient.isMutating()).toBe(0));
  };
}

test('a note whose field was left before the answer is not there a second time', async () => {
  const answer = hold();
  const { user, unmount } = open();
  await user.keyboard('Ligar amanhã{Alt>}{Enter}{/Alt}');
  unmount();
  expect(queryClient.isMutating()).toBe(1);
  await answer();
  expect(open().input.value).toBe('');
});

test('what is typed while the note is saved stays', async () => {
  const answer = hold();
  const { user, input } = open();
  await user.keyboard('Ligar{Alt>}{Enter}{/Alt} hoje');
  expect(queryClient.isMutating()).toBe(1);
  await answer();
  expect(input.value).toBe('Ligar hoje');
  expect(onClose).not.toHaveBeenCalled();
});

test('what is saved again is the same note, and what is changed before another one', async () => {
  refuses = true;
  const { user } = open();
  const idOf = (call: number) => (calls[call]?.[1] as { clientId: string }).clientId;
  await user.keyboard('Ligar{Alt>}{Enter}{/Alt}');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  const button = screen.getByRole('button', { name: 'Salvar nota' });
  const isAnswered = () =>
    vi.waitFor(() => {
      expect(queryClient.isMutating()).toBe(0);
      expect(button.getAttribute('aria-busy')).toBeNull();
    });
  await isAnswered();
  await user.click(button);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await isAnswered();
  expect(idOf(1)).toBe(idOf(0));
  await user.type(screen.getByLabelText('Nota para a equipe'), ' hoje');
  await user.click(button);
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  expect(idOf(2)).not.toBe(idOf(0));
});

test('in a company that distributes each person stands there with their presence', async () => {
  const { company, ...person } = makeUser();
  const settings = [{ key: 'assignment', value: 'enabled' }];
  openSession({ token: 'abc', user: { ...person, company: { ...company, settings } } });
  const since = '2026-03-04T12:00:00Z';
  presences = [
    { userId: 9, presence: 'paused', reason: 'Almoço', since, until: null, away: false },
  ];
  const { user } = open();
  await user.keyboard('@li');
  const option = screen.getByRole('option', { name: /Lia Prado/ });
  await vi.waitFor(() => expect(option.textContent).toContain('Almoço'));
});
