import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { QrDialog } from './QrDialog';
import { makeConnection } from './testData';
import type { Connection } from './types';
import { sessionVerbs } from './useSession';

const SESSION = makeConnection({
  provider: 'beta',
  status: 'qrcode',
  qrcode: '2@first,code,of,a,session',
});

const NOON = Date.parse(SESSION.updatedAt);

test.each([true, false])('only a demo says who scans its codes: %s', (simulatedQr) => {
  openSession({ token: 'abc', user: makeUser(), simulatedQr });
  render(page(SESSION));
  expect(screen.queryAllByRole('link', { name: 'Abrir o celular' })).toHaveLength(
    simulatedQr ? 1 : 0,
  );
});

test.each([
  ['beta', 'qrcode', ['qr']],
  ['beta', 'OPENING', ['connecting']],
  ['beta', 'DISCONNECTED', ['retry', 'newQr']],
  ['beta', 'CONNECTED', ['disconnect']],
  ['beta', 'PAIRING', ['disconnect']],
  ['beta', 'TIMEOUT', ['disconnect']],
  ['official', 'CONNECTED', ['connected']],
  ['official', 'OPENING', ['connecting']],
  ['official', 'DISCONNECTED', ['retry']],
] as const)('the buttons of a %s connection that is %s', (provider, status, verbs) => {
  expect(sessionVerbs({ ...SESSION, provider, status }, NOON + 29_999)).toEqual(verbs);
});

test.each([
  ['beta', ['restart', 'disconnect']],
  ['official', ['restart']],
] as const)('a %s connection that opens for too long can be started again', (provider, verbs) => {
  const opening = makeConnection({ provider, status: 'OPENING' });
  expect(sessionVerbs(opening, NOON + 30_000)).toEqual(verbs);
});

test('a session whose gateway is gone can be started again at once', () => {
  const gone: Connection = { ...SESSION, status: 'OPENING', reasonCode: 'gateway_gone' };
  expect(sessionVerbs(gone, NOON)).toEqual(['restart', 'disconnect']);
});

const onClose = vi.fn();
let calls: string[];

const page = (connection: Connection) => (
  <ChakraProvider value={system}>
    <QueryClientProvider client={queryClient}>
      <QrDialog {...{ connection, onClose }} />
    </QueryClientProvider>
  </ChakraProvider>
);
const drawn = () => document.querySelector('svg[role=img] path:last-of-type')?.getAttribute('d');

beforeEach(() => {
  calls = [];
  onClose.mockReset();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const path = new URL(input, 'http://balcao.test').pathname;
    calls.push(
      `${init?.method ?? 'GET'} ${path} ${(init?.body as string | undefined) ?? ''}`.trim(),
    );
    return Promise.resolve(new Response('{}'));
  });
});

test('the code is drawn, and anew when it changes', () => {
  const { rerender } = render(page(SESSION));
  screen.getByRole('img', { name: 'QR Code para escanear com o WhatsApp' });
  const first = drawn();
  expect(first).toBeTruthy();
  rerender(page({ ...SESSION, qrcode: '2@second,code,of,a,session' }));
  expect(drawn()).toBeTruthy();
  expect(drawn()).not.toBe(first);
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['CONNECTED', 'success', 'Loja está conectada.'],
  ['PAIRING', 'info', 'Código lido. Concluindo a conexão…'],
] as const)('without a code any more it closes and says so: %s', async (status, kind, words) => {
  const said = vi.spyOn(toast, kind).mockImplementation(() => undefined);
  const { rerender } = render(page(SESSION));
  rerender(page({ ...SESSION, status, qrcode: '' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(said).toHaveBeenCalledWith(words);
});

test('a code that is being made is waited for; one that will not come is asked for', async () => {
  const updatedAt = new Date().toISOString();
  const { rerender } = render(page({ ...SESSION, status: 'OPENING', qrcode: '', updatedAt }));
  screen.getByText('Gerando o QR Code…');
  rerender(page({ ...SESSION, status: 'DISCONNECTED', qrcode: '', statusReason: 'Sem rede.' }));
  screen.getByText('Sem rede.');
  await userEvent.click(screen.getByRole('button', { name: 'Novo QR Code' }));
  expect(calls).toContain('PUT /api/whatsappsession/5 {}');
  expect(onClose).not.toHaveBeenCalled();
});

test('a phone that cannot scan is linked by a code for its number', async () => {
  const { rerender } = render(page(SESSION));
  await userEvent.click(screen.getByRole('button', { name: 'Conectar com o número de telefone' }));
  await userEvent.click(screen.getByRole('button', { name: 'Gerar código' }));
  screen.getByText('Informe o número com o código do país e o DDD.');
  expect(calls.filter((each) => each.startsWith('PUT'))).toEqual([]);
  await userEvent.type(screen.getByLabelText('Número do celular'), '+55 11 98888-7777{Enter}');
  expect(calls).toContain('PUT /api/whatsappsession/5 {"number":"5511988887777"}');
  rerender(page({ ...SESSION, status: 'OPENING', qrcode: '' }));
  expect(onClose).not.toHaveBeenCalled();
  rerender(page({ ...SESSION, qrcode: '', pairingCode: 'ABCD1234' }));
  screen.getByText('ABCD-1234');
  rerender(page({ ...SESSION, status: 'PAIRING', qrcode: '' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
