import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { open, sent, setFileLists, startComposing } from '../composerHarness';

beforeEach(startComposing);

test('a slash and a letter offer quick messages, and Enter puts the marked one in, filled', async () => {
  const { user, input } = open();
  await user.keyboard('/');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('tro');
  const options = () => screen.getAllByRole('option');
  expect(options().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('/troca'),
    expect.stringContaining('/troca-pix'),
  ]);
  expect(options()[0]?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(input.getAttribute('aria-activedescendant')).toBe('quick-answer-3');
  await user.keyboard('{ArrowUp}{Enter}');
  expect(input.value).toBe('Oi Mariana, protocolo 20260302000050');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(sent).toEqual([]);
});

test('Escape leaves what was typed, and it is offered again for other words', async () => {
  const { user, input } = open();
  await user.keyboard('/tro{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(input.value).toBe('/tro');
  await user.keyboard('c');
  expect(screen.getByRole('listbox')).toBeTruthy();
  await user.keyboard('!!');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ body: '*Camila Duarte:*\n/troc!!' }]));
});

test('the file of a quick message is sent by its path, its text under it', async () => {
  const { user, input } = open();
  await user.click(screen.getByRole('button', { name: 'Respostas rápidas' }));
  await user.keyboard('etiq{Enter}');
  expect(input.value).toBe('Segue a etiqueta');
  expect(screen.getByText('Etiqueta.pdf')).toBeTruthy();
  cleanup();
  // It is still there after a reload.
  const again = open();
  expect(again.input.value).toBe('Segue a etiqueta');
  await again.user.keyboard('!{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      { body: '*Camila Duarte:*\nSegue a etiqueta!', mediaPath: 'selo/2/Etiqueta.pdf' },
    ]),
  );
  expect(screen.queryByText('Etiqueta.pdf')).toBeNull();
});

test('a list puts its text and its files in, and each goes out as a copy', async () => {
  const option = { mediaType: 'application/pdf', mediaSize: 900, fileId: 4 };
  setFileLists([
    {
      id: 4,
      name: 'Catálogos',
      message: 'Oi {{firstName}}, seguem.',
      options: [
        { ...option, id: 8, name: 'Vasos', path: 'selo/2/vasos', mediaName: 'vasos.pdf' },
        // Its upload never ended.
        { ...option, id: 9, name: 'Falta', path: null, mediaName: null },
        { ...option, id: 10, name: 'Preços', path: 'selo/2/precos', mediaName: 'precos.pdf' },
      ],
      userId: 7,
      companyId: 2,
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    },
  ]);
  const { user, input } = open();
  await user.click(await screen.findByRole('button', { name: 'Listas de arquivos' }));
  await user.click(await screen.findByRole('option', { name: /Catálogos/ }));
  await waitFor(() => expect(input.value).toBe('Oi Mariana, seguem.'));
  await user.click(input);
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      { body: '*Camila Duarte:*\nOi Mariana, seguem.', mediaPath: 'selo/2/vasos' },
      { mediaPath: 'selo/2/precos' },
    ]),
  );
});

test('where there is no list, nothing offers one', async () => {
  open();
  await import('./FileListPicker');
  await screen.findByRole('button', { name: 'Respostas rápidas' });
  expect(screen.queryByRole('button', { name: 'Listas de arquivos' })).toBeNull();
});

test('the button offers all, and what is chosen goes where the caret stands', async () => {
  const { user, input } = open();
  await user.keyboard('Olá! ');
  await user.click(screen.getByRole('button', { name: 'Respostas rápidas' }));
  expect(screen.getAllByRole('option')).toHaveLength(3);
  await user.click(screen.getByRole('option', { name: /troca-pix/ }));
  expect(input.value).toBe('Olá! Devolvemos por Pix');
});
