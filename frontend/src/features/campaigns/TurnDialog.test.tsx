import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toaster } from '@/lib/toast';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { makeCampaign } from './testData';
import { TurnDialog, type Turn } from './TurnDialog';

test.each<[Turn, string, string]>([
  ['cancel', 'Parar campanha', 'cancel'],
  ['unschedule', 'Retirar agendamento', 'cancel'],
  ['restart', 'Reiniciar', 'restart'],
])('why the server refuses to %s stands in a notice', async (turn, button, verb) => {
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(
      address.includes(`/campaigns/7/${verb}`)
        ? Response.json({ error: 'ERR_NEW', message: 'Acabou agora mesmo.' }, { status: 409 })
        : Response.json([]),
    ),
  );
  const create = vi.spyOn(toaster, 'create');
  const onClose = vi.fn();
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <TurnDialog turn={turn} campaign={makeCampaign()} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: button }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(create.mock.calls.map(([{ title, type }]) => [type, title])).toEqual([
    ['error', 'Acabou agora mesmo.'],
  ]);
});
