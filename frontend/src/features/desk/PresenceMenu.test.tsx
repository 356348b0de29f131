import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { chooseEntry } from '@/test/menu';
import { system } from '@/theme';
import { PresenceMenu } from './PresenceMenu';
import { makeMember, makeSupervisor } from './testData';

/** The id of the signed-in user. */
const ID = 7;
const sent: { url: string; body: unknown }[] = [];
const own = makeMember({ id: ID }).presence;

beforeEach(() => {
  sent.length = 0;
  openSession({ token: 'token', user: makeSupervisor() });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method === 'PUT') {
      const body = JSON.parse(init.body as string) as object;
      sent.push({ url, body });
      const since = '2026-03-04T13:00:00Z';
      const until = '2026-03-04T14:00:00Z';
      return Promise.resolve(Response.json({ ...own, ...body, reason: 'Almoço', since, until }));
    }
    if (url.includes('/pause-reasons'))
      return Promise.resolve(Response.json([{ id: 3, name: 'Almoço', minutes: 60 }]));
    return Promise.resolve(Response.json([own]));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <PresenceMenu />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

test('a reason of the company is a pause of its length, shown with its end', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Sua presença: Online' }));
  await chooseEntry(user, /Almoço/);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.url).toContain('/presence/me');
  expect(sent[0]?.body).toEqual({ presence: 'paused', reasonId: 3, minutes: 60 });
  await screen.findByRole('button', { name: /^Sua presença: Almoço até/ });
});

test('another pause asks for its minutes and refuses wrong ones', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Sua presença: Online' }));
  await chooseEntry(user, 'Outra pausa…');
  const minutes = await screen.findByLabelText('Minutos');
  await user.clear(minutes);
  await user.type(minutes, '0');
  await user.click(screen.getByRole('button', { name: 'Começar a pausa' }));
  expect(await screen.findByText('Informe de 1 a 1440 minutos.')).toBeTruthy();
  await user.clear(minutes);
  await user.type(minutes, '20');
  await user.click(screen.getByRole('button', { name: 'Começar a pausa' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ presence: 'paused', reasonId: 3, minutes: 20 });
});

test('a pause that was changed is asked about before it is dropped', async () => {
  const user = userEvent.setup();
  const openDialog = async () => {
    await user.click(await screen.findByRole('button', { name: 'Sua presença: Online' }));
    await chooseEntry(user, 'Outra pausa…');
    return screen.findByLabelText('Minutos');
  };
  await user.type(await openDialog(), '5');
  await user.keyboard('{Escape}');
  const question = await screen.findByRole('alertdialog', { name: 'Descartar alterações?' });
  await user.click(within(question).getByRole('button', { name: 'Descartar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Untouched, it closes at once.
  await openDialog();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(sent).toEqual([]);
});
