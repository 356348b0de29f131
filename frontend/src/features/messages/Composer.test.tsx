import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { storedUnsent } from '@/lib/outbox/storage';
import { queryClient } from '@/lib/queryClient';
import { messagesKey } from './api';
import { accepts, answerWith, open, sent, startComposing, type Sent } from './composerHarness';
import { messagesOf } from './fold';
import { resendItem, settleByEvent, useOutbox, whenTaken } from './outbox';
import { makeMessage, makeTicket } from './testData';

const shown = () => messagesOf(queryClient.getQueryData(messagesKey(50))).map(({ body }) => body);

const kept = () => storedUnsent('messages', 7);

beforeEach(startComposing);

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

test('Ctrl-Enter sends, and says that it was the last', async () => {
  const onSentLast = vi.fn();
  const { user } = open({ onSentLast });
  // The second press of a double one was meant for the conversation before.
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onSentLast).not.toHaveBeenCalled();
  await user.keyboard('até logo{Control>}{Enter}{/Control}');
  expect(onSentLast).toHaveBeenCalledOnce();
  await waitFor(() => expect(sent).toMatchObject([{ body: '*Camila Duarte:*\naté logo' }]));
});

test('Ctrl-Enter with nothing written says so too, once the conversation has settled', async () => {
  const onSentLast = vi.fn();
  const { user } = open({ onSentLast });
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
  await user.keyboard('{Control>}{Enter}{/Control}');
  vi.restoreAllMocks();
  expect(onSentLast).toHaveBeenCalledOnce();
  expect(sent).toEqual([]);
});

test('the arrow up asks for the last message in an empty input alone', async () => {
  const onEditLast = vi.fn(() => true);
  const { user } = open({ onEditLast });
  await user.keyboard('{ArrowUp}');
  expect(onEditLast).toHaveBeenCalledOnce();
  await user.keyboard('olá{ArrowUp}');
  expect(onEditLast).toHaveBeenCalledOnce();
});

test('what was written last has left, or not, before it is known', async () => {
  let release: (response: Response) => void = () => undefined;
  answerWith(() => new Promise((resolve) => (release = resolve)));
  const { user } = open();
  await user.keyboard('até logo{Enter}');
  const taken = vi.fn();
  void whenTaken(50).then(taken);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(taken).not.toHaveBeenCalled();
  release(new Response('{"error": "ERR_TICKET_NOT_OPEN"}', { status: 409 }));
  await waitFor(() => expect(taken).toHaveBeenCalledWith(false));
  // An earlier failure does not block later messages.
  answerWith(accepts);
  await user.keyboard('mais uma{Enter}');
  expect(await whenTaken(50)).toBe(true);
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
  answerWith((body) => new Promise((resolve) => answers.push(() => resolve(accepts(body)))));
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
  answerWith((body) => new Promise((resolve) => (reply = () => resolve(accepts(body)))));
  const { user } = open();
  await user.keyboard('um{Enter}');
  const body = '*Camila Duarte:*\num';
  const clientId = sent[0]?.clientId ?? '';
  settleByEvent(makeMessage(31, { body, clientId, fromMe: true, userId: 7 }));
  expect(useOutbox.getState().items).toMatchObject([{ state: 'stored' }]);
  reply();
  await waitFor(() => expect(useOutbox.getState().items).toEqual([]));
  expect(shown().filter((text) => text === body)).toHaveLength(1);
});

test('of two equal texts each is settled by its own event, however late that comes', async () => {
  const answers: (() => void)[] = [];
  answerWith((body) => new Promise((resolve) => answers.push(() => resolve(accepts(body)))));
  const { user } = open();
  await user.keyboard('ok{Enter}ok{Enter}');
  const tell = (id: number, { body, clientId }: Sent) =>
    settleByEvent(makeMessage(id, { body, clientId, fromMe: true, userId: 7 }));
  const states = () => useOutbox.getState().items.map(({ state }) => state);
  answers[0]?.();
  await waitFor(() => expect(sent).toHaveLength(2));
  const [first, second] = sent;
  if (!first || !second) throw new Error('two were sent');
  tell(31, first);
  expect(states()).toEqual(['sending']);
  tell(32, second);
  expect(states()).toEqual(['stored']);
  answers[1]?.();
  await waitFor(() => expect(states()).toEqual([]));
});

test('one that was taken though its answer was lost waits no longer', async () => {
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
  const { user } = open();
  await user.keyboard('ok{Enter}');
  await waitFor(() => expect(useOutbox.getState().items).toMatchObject([{ waits: true }]));
  const equal = { body: '*Camila Duarte:*\nok', fromMe: true, userId: 7 };
  settleByEvent(makeMessage(30, equal));
  expect(useOutbox.getState().items).toHaveLength(1);
  settleByEvent(makeMessage(31, { ...equal, clientId: sent[0]?.clientId ?? '' }));
  expect(useOutbox.getState().items).toEqual([]);
});

test('a failure keeps the text and its reason; trying again sends the same id', async () => {
  answerWith(
    () => new Response(JSON.stringify({ code: 'ERR_OUTSIDE_24H_WINDOW' }), { status: 409 }),
  );
  const { user } = open();
  await user.keyboard('olá{Enter}');
  await waitFor(() => expect(useOutbox.getState().items).toMatchObject([{ state: 'failed' }]));
  const [item] = useOutbox.getState().items;
  expect(item).toMatchObject({ code: 'ERR_OUTSIDE_24H_WINDOW' });
  expect(item?.reason).toContain('24 horas');
  expect(kept()).toMatchObject([{ body: '*Camila Duarte:*\nolá', state: 'failed' }]);
  answerWith(accepts);
  resendItem(item?.clientId ?? '');
  await waitFor(() => expect(useOutbox.getState().items).toEqual([]));
  expect(sent[1]?.clientId).toBe(sent[0]?.clientId);
  expect(kept()).toEqual([]);
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

test('every file has its caption, chosen above the input', async () => {
  const { user, input } = open();
  const picker = screen.getByTestId('file-input');
  await user.upload(picker, [new File(['a'], 'um.txt'), new File(['b'], 'dois.txt')]);
  await user.type(input, 'primeiro');
  await user.click(screen.getByRole('button', { name: /^dois.txt/ }));
  expect(input.value).toBe('');
  await user.type(input, 'segundo');
  expect(screen.getByText('Legenda de dois.txt · 2 de 2')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^um\.txt.*, legenda: primeiro$/ }));
  expect(input.value).toBe('primeiro');
  await user.click(screen.getByRole('button', { name: 'Remover um.txt' }));
  expect(input.value).toBe('segundo');
});

test('an edit begins without the signature, is saved with it, and leaves the draft alone', async () => {
  localStorage.setItem('drafts', JSON.stringify({ '7:50': { text: 'rascunho', at: Date.now() } }));
  const onEdited = vi.fn();
  const onEditEnd = vi.fn();
  const editing = makeMessage(9, { fromMe: true, body: '*Camila Duarte:*\nolá' });
  const { user, input } = open({ editing, onEdited, onEditEnd });
  expect(input.value).toBe('olá');
  await user.keyboard('!{Enter}');
  expect(onEdited).toHaveBeenCalledWith('*Camila Duarte:*\nolá!');
  await user.keyboard('{Backspace}{Escape}');
  expect(onEditEnd).toHaveBeenCalledOnce();
  cleanup();
  expect(open().input.value).toBe('rascunho');
});

test.each(['{Escape}', 'Cancelar edição'])('with %s, a changed edit asks once', async (way) => {
  const onEditEnd = vi.fn();
  const editing = makeMessage(9, { fromMe: true, body: 'olá' });
  const { user, input } = open({ editing, onEditEnd });
  const leave = () =>
    way === '{Escape}'
      ? user.keyboard(way)
      : user.click(screen.getByRole('button', { name: way, hidden: true }));
  await user.keyboard('!');
  await leave();
  await user.click(await screen.findByRole('button', { name: 'Continuar editando' }));
  expect(onEditEnd).not.toHaveBeenCalled();
  expect(input.value).toBe('olá!');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.closest('form')).not.toBeNull());
  await leave();
  await user.click(await screen.findByRole('button', { name: 'Descartar' }));
  expect(onEditEnd).toHaveBeenCalledOnce();
});

test('an empty input offers the microphone, and a browser without one says why', async () => {
  const { user } = open();
  await user.keyboard('x');
  expect(screen.queryByRole('button', { name: 'Gravar áudio' })).toBeNull();
  await user.keyboard('{Backspace}');
  await user.click(screen.getByRole('button', { name: 'Gravar áudio' }));
  expect(await screen.findByText(/endereços seguros/)).toBeTruthy();
  expect(screen.getByLabelText('Mensagem')).toBeTruthy();
});

test('where another agent leads, nothing is sent before the user has agreed', async () => {
  const ticket = makeTicket({ owner: 'other', ownerAt: '2026-03-02T12:00:00Z' });
  const onSentLast = vi.fn();
  const { user, input } = open({ ticket, onSentLast });
  await user.keyboard('olá{Enter}');
  const ask = await screen.findByRole('alertdialog', { name: 'Assumir esta conversa?' });
  expect(ask.textContent).toContain('Outro agente conduz esta conversa.');
  await user.click(screen.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sent).toEqual([]);
  expect(input.value).toBe('olá');

  await user.click(input);
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onSentLast).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Enviar e assumir' }));
  await waitFor(() => expect(sent).toMatchObject([{ body: '*Camila Duarte:*\nolá' }]));
  expect(onSentLast).toHaveBeenCalledOnce();
  expect(input.value).toBe('');

  // Agreed once; until the owner changes nobody is asked again.
  await user.click(input);
  await user.keyboard('tudo bem?{Enter}');
  await waitFor(() => expect(sent).toHaveLength(2));
});

test('the key that saves a note sends no message', async () => {
  const { user, input } = open();
  await user.type(input, 'Só para a equipe{Alt>}{Enter}{/Alt}');
  expect(sent).toEqual([]);
  expect(input.value).toBe('Só para a equipe');
});

test('beside somebody who writes the user is asked once', async () => {
  const writer = { id: 9, name: 'Bia' };
  const { user, input } = open({
    writers: [{ writer, text: 'Já vou', at: '2026-03-02T12:00:00Z' }],
  });
  await user.type(input, 'Oi{Enter}');
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('Bia');
  expect(sent).toEqual([]);
  expect(input.value).toBe('Oi');
  await user.click(screen.getByRole('button', { name: 'Enviar mesmo assim' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await user.type(input, 'Tudo bem?{Enter}');
  await waitFor(() => expect(sent).toHaveLength(2));
});
