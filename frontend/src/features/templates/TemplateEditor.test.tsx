import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { TemplateEditor } from './TemplateEditor';

let sent: Record<string, unknown>[];
let refusal: Response | null;
const onClose = vi.fn();

beforeEach(() => {
  sent = [];
  refusal = null;
  onClose.mockReset();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (_: string, init?: RequestInit & { body?: string }) => {
    sent.push(JSON.parse(init?.body ?? '{}') as Record<string, unknown>);
    return Promise.resolve(refusal ?? new Response('{}', { status: 201 }));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <TemplateEditor connectionId={5} isNew onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});

async function write(label: string | RegExp, text: string) {
  await userEvent.click(await screen.findByLabelText(label));
  await userEvent.paste(text);
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Enviar para análise' }));

test('says what is missing and asks nobody', async () => {
  await write(/^Nome/, 'aviso');
  await write(/^Texto/, '{{1}}, chegou.');
  await submit();
  screen.getByText(/não pode começar nem terminar/);
  screen.getByText(/Dê um exemplo/);
  expect(sent).toEqual([]);
});

test('shows the sample in its place and submits it', async () => {
  await write(/^Nome/, 'aviso');
  await write(/^Texto/, 'Olá, {{1}}! Chegou.');
  await write(/^Exemplo para/, 'Bia');
  const preview = screen.getByRole('region', { name: 'Como o contato vai ver' });
  expect(preview.textContent).toContain('Olá, Bia! Chegou.');
  await submit();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent[0]).toMatchObject({
    name: 'aviso',
    body: 'Olá, {{1}}! Chegou.',
    samples: [{ field: 'body.1', value: 'Bia' }],
  });
});

test("shows Meta's refusal and keeps what was written", async () => {
  const answer = { code: 'ERR_TEMPLATE_REFUSED', message: 'Não.', reasonCode: 'template_limit' };
  refusal = new Response(JSON.stringify({ ...answer, fields: {} }), { status: 400 });
  await write(/^Nome/, 'aviso');
  await write(/^Texto/, 'Chegou.');
  await submit();
  expect((await screen.findByRole('alert')).textContent).toMatch(/limite de modelos/);
  expect(onClose).not.toHaveBeenCalled();
});
