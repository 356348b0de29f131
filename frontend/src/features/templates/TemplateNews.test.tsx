import { QueryClientProvider } from '@tanstack/react-query';
import { render, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi, type MockInstance } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { TemplateNews } from './TemplateNews';

type News = { template: { name: string; change: string; value: string } };
let hear: (news: News) => void;

vi.mock('@/lib/socket', async (original) => ({
  ...(await original<object>()),
  useCompanyEvent: (_name: string, listener: (news: News) => void) => {
    hear = listener;
  },
}));

let said: MockInstance<typeof toast.advice>;

function open(permissions: string[]) {
  openSession({ token: 'abc', user: makeUser({ permissions }) });
  render(
    <QueryClientProvider client={queryClient}>
      <TemplateNews />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  said = vi.spyOn(toast, 'advice').mockImplementation(() => undefined);
});

test.each([
  ['status', 'REJECTED', 'A Meta recusou o modelo aviso.'],
  ['status', 'PAUSED', 'A Meta pausou o modelo aviso.'],
  ['status', 'LIMIT_EXCEEDED', /aviso não entrou: a conta chegou ao limite/],
  ['quality', 'RED', /A qualidade do modelo aviso está baixa/],
  ['category', 'MARKETING', 'A Meta passou o modelo aviso para Marketing.'],
])('an admin hears that the %s is %s', async (change, value, words) => {
  open(['drawer-admin-items:view']);
  hear({ template: { name: 'aviso', change, value } });
  await waitFor(() => expect(said).toHaveBeenCalledOnce());
  expect(said.mock.calls[0]?.[0]).toMatch(words);
});

test('good news, and news for who cannot do anything, have the list read anew alone', async () => {
  const read = vi.spyOn(queryClient, 'invalidateQueries');
  open(['drawer-admin-items:view']);
  hear({ template: { name: 'aviso', change: 'status', value: 'APPROVED' } });
  hear({ template: { name: 'aviso', change: 'quality', value: 'GREEN' } });
  open([]);
  hear({ template: { name: 'aviso', change: 'status', value: 'REJECTED' } });
  expect(read).toHaveBeenCalledTimes(3);
  await Promise.resolve();
  expect(said).not.toHaveBeenCalled();
});
