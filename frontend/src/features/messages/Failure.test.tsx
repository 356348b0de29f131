import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { ChakraProvider } from '@chakra-ui/react';
import { afterEach, expect, test, vi } from 'vitest';
import { i18n } from '@/i18n';
import { system } from '@/theme';
import { Failure } from './Failure';
import { makeMessage } from './testData';
import type { Message } from './types';

afterEach(() => i18n.changeLanguage('pt'));

function show(changes: Partial<Message>, onTemplates?: (text: string) => void) {
  const message = makeMessage(1, { fromMe: true, ack: -1, ...changes });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={new QueryClient()}>
        <Failure message={message} ticketId={50} canResend={false} onTemplates={onTemplates} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return screen.getByRole('status').textContent;
}

const closed = {
  errorCode: '131047',
  errorReason: 'Passaram mais de 24 horas. Envie um modelo.',
  reasonCode: 'window_closed',
};

test.each([
  ['en', "More than 24 hours have passed since the contact's last message. Send a template."],
  ['es', 'Pasaron más de 24 horas desde el último mensaje del contacto. Envíe una plantilla.'],
])('why a message failed is read in %s', async (language, words) => {
  await i18n.changeLanguage(language);
  expect(show(closed)).toContain(words);
});

test("what we have no words for shows the provider's own after ours", async () => {
  await i18n.changeLanguage('en');
  expect(show({ reasonCode: 'refused', reasonDetail: 'Odd <b>thing</b>' })).toContain(
    'Meta refused the message and answered: Odd <b>thing</b>',
  );
});

test('an old message shows the sentence it was stored with', async () => {
  await i18n.changeLanguage('en');
  expect(show({ errorReason: 'Motivo antigo.', reasonCode: '' })).toContain('Motivo antigo.');
});

test('a refusal of ours has the words of its code', async () => {
  await i18n.changeLanguage('es');
  expect(show({ errorReason: 'Grande.', reasonCode: 'ERR_MEDIA_TOO_LARGE' })).not.toContain(
    'Grande.',
  );
});

test('a refused utility text leads to the templates, with the text at hand', () => {
  const onTemplates = vi.fn();
  const blocked = { reasonCode: 'direct_send_blocked', errorReason: 'Bloqueado.' };
  show({ ...blocked, body: 'Saiu.', dataJson: '{"category":"utility"}' }, onTemplates);
  expect(screen.queryByRole('button', { name: 'Reenviar' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Usar um modelo' }));
  expect(onTemplates).toHaveBeenCalledExactlyOnceWith('Saiu.');
});

test('no other message leads there', () => {
  show(closed, () => undefined);
  expect(screen.queryByRole('button')).toBeNull();
});
