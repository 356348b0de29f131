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
import { reportQuery } from './report/api';
import type { CampaignReport } from './report/types';
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
        : Response.json({ campaign: makeCampaign() }),
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

test.each<[Turn, string]>([
  ['cancel', '252 pessoas ainda não receberam'],
  ['restart', '252 pessoas que ainda não receberam'],
])('to %s, those left are counted when the dialog opens', async (turn, words) => {
  openSession({ token: 'abc', user: makeUser() });
  queryClient.clear();
  const known = makeCampaign({ progress: { total: 300, ended: 43, assessed: 0 } });
  // The report was read a moment ago, as on its page.
  queryClient.setQueryData(reportQuery(7).queryKey, { campaign: known } as CampaignReport);
  const asked = vi.fn(() =>
    Promise.resolve(
      Response.json({ campaign: { ...known, progress: { total: 300, ended: 48, assessed: 0 } } }),
    ),
  );
  vi.stubGlobal('fetch', asked);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <TurnDialog turn={turn} campaign={known} onClose={() => undefined} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).not.toContain('257');
  await waitFor(() => expect(dialog.textContent).toContain(words));
  expect(asked).toHaveBeenCalledOnce();
});
