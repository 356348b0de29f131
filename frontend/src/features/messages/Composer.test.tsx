import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { messagesKey, type Message } from './api';
import { useAttachments } from './attachments';
import { Composer } from './Composer';
import { messagesOf } from './fold';
import { resendItem, settleByEvent, useOutbox } from './outbox';
import { makeMessage, makePage, makePages } from './testData';

interface Sent {
  body: string;
  clientId: string;
  quotedMsg: { id: number } | null;
}

let sent: Sent[];
let answer: (body: Sent) => Promise<Response> | Response;

const accepts = (body: Sent) =>
  new Response(
    JSON.stringify(makeMessage(30 + sent.length, { body: body.body, fromMe: true, userId: 7 })),
    { status: 201 },
  );

beforeEach(() => {
  sent = [];
  answer = accepts;
  useOutbox.setState({ items: [] });
  queryClient.clear();
  queryClient.setQueryData(messagesKey(50), makePages(makePage([1])));
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('fetch', (_url: string, request: RequestInit) => {
    const body = JSON.parse(request.body as string) as Sent;
    sent.push(body);
    return Promise.resolve(answer(body));
  });
});

function Subject({ replyTo = null, onReplyEnd = () => undefined }: Partial<Props>) {
  const files = useAttachments();
  return (
    <Composer
      ticketId={50}
      files={files}
      replyTo={replyTo}
      onReplyEnd={onReplyEnd}
      onSent={() => undefined}
    />
  );
}

interface Props {
  replyTo: Message | null;
  onReplyEnd: () => void;
}

function open(props: Partial<Props> = {}) {
  render(
    <ChakraProvider value={system}>
      <Subject {...props} />
    </ChakraProvider>,
  );
  return {
    user: userEvent.setup({ delay: null }),
    input: screen.getByLabelText<HTMLTextAreaElement>('Mensagem'),
  };
}

const shown = () => messagesOf(queryClient.getQueryData(messagesKey(50))).map(({ body }) => body);

test('Enter sends a signed text once and the input is ready for the next', async () => {
  const { user, input } = open();
  expect(document.activeElement).toBe(input);
  await user.keyboard('  olá{Enter}');
  await waitFor(() => expect(shown()).toContain('*Camila Duarte:*\nolá'));
  expect(sent).toMatchObject([{ body: '*Camila Duarte:*\nolá', quotedMsg: null }]);
  expect(input.value).toBe('');
  expect(document.activeElement).toBe(input);
  expect(useOutbox.getState().items).toEqual([]);
});

test('Shift-Enter breaks the line and white space alone is not sent', async () => {
  const { user, input } = open();
  await user.keyboard('   {Enter}');
  expect(sent).toEqual([]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar' }).disabled).toBe(true);
  await user.clear(input);
  await user.keyboard('a{Shift>}{Enter}{/Shift}b');
  expect(input.value).toBe('a\nb');
  expect(sent).toEqual([]);
});

test('without signing the text goes as it is, and the choice stays', async () => {
  const { user } = open();
  await user.click(screen.getByRole('checkbox', { name: 'Assinar' }));
  await user.keyboard('olá{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ body: 'olá' }]));
  expect(localStorage.getItem('signOption')).toBe('false');
});

test('what was typed survives a reload', async () => {
  const { user } = open();
  await user.keyboard('quase pronto');
  cleanup();
  expect(open().input.value).toBe('quase pronto');
});

test('it appears at once, and messages leave in the order they were written', async () => {
  const answers: (() => void)[] = [];
  answer = (body) => new Promise((resolve) => answers.push(() => resolve(accepts(body))));
  const { user } = open();
  await user.keyboard('um{Enter}dois{Enter}');
  expect(useOutbox.getState().items.map(({ state }) => state)).toEqual(['sending', 'queued']);
  expect(sent).toHaveLength(1);
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await waitFor(() => expect(useOutbox.getState().items).toEqual([]));
  expect(sent.map(({ body }) => body.split('\n')[1])).toEqual(['um', 'dois']);
});

test('a live event before the answer shows the message once', async () => {
  let reply = () => undefined as unknown;
  answer = (body) => new Promise((resolve) => (reply = () => resolve(accepts(body))));
  const { user } = open();
  await user.keyboard('um{Enter}');
  const body = '*Camila Duarte:*\num';
  settleByEvent(makeMessage(31, { body, fromMe: true, userId: 7 }));
  expect(useOutbox.getState().items).toMatchObject([{ state: 'stored' }]);
  reply();
  await waitFor(() => expect(useOutbox.getState().items).toEqual([]));
  expect(shown().filter((text) => text === body)).toHaveLength(1);
});

test('a failure keeps the text and its reason; trying again sends the same id', async () => {
  answer = () => new Response(JSON.stringify({ code: 'ERR_OUTSIDE_24H_WINDOW' }), { status: 409 });
  const { user } = open();
  await user.keyboard('olá{Enter}');
  await waitFor(() => expect(useOutbox.getState().items).toMatchObject([{ state: 'failed' }]));
  const [item] = useOutbox.getState().items;
  expect(item).toMatchObject({ code: 'ERR_OUTSIDE_24H_WINDOW' });
  expect(item?.reason).toContain('24 horas');
  expect(localStorage.getItem('outbox')).toContain('olá');
  answer = accepts;
  resendItem(item?.clientId ?? '');
  await waitFor(() => expect(useOutbox.getState().items).toEqual([]));
  expect(sent[1]?.clientId).toBe(sent[0]?.clientId);
  expect(localStorage.getItem('outbox')).toBeNull();
});

test('a reply carries its message, and Escape takes it back', async () => {
  const onReplyEnd = vi.fn();
  const { user } = open({ replyTo: makeMessage(1), onReplyEnd });
  await user.keyboard('{Escape}');
  expect(onReplyEnd).toHaveBeenCalledOnce();
  await user.keyboard('sim{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ quotedMsg: { id: 1 } }]));
});

test('files wait above the input, can be taken away, and forbidden ones are refused', async () => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: vi.fn() }),
  );
  const { user } = open();
  const picker = screen.getByTestId('file-input');
  const photo = new File(['x'], 'foto.png', { type: 'image/png' });
  await user.upload(picker, [photo, new File(['MZ'], 'virus.exe')]);
  expect(screen.getByAltText('foto.png')).toBeTruthy();
  expect(screen.queryByText('virus.exe')).toBeNull();
  expect(screen.getByPlaceholderText('Adicione uma legenda')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remover foto.png' }));
  expect(screen.queryByAltText('foto.png')).toBeNull();
});
