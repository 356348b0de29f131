import { expect, test } from 'vitest';
import { shownTemplate } from './shown';

const nothing = { header: null, body: '', footer: '', buttons: [] };

test('a stored template is shown with its parts', () => {
  const shown = shownTemplate({
    name: 'pedido_enviado',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Pedido a caminho' },
      { type: 'BODY', text: 'Olá, *Mariana*!' },
      { type: 'FOOTER', text: 'Casa Aroeira' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Rastrear', url: 'https://loja.example/1' },
          { type: 'URL', text: 'Golpe', url: 'javascript:alert(1)' },
          { type: 'PHONE_NUMBER', text: 'Ligar', phone_number: '+55 11 4002-8922' },
          { type: 'COPY_CODE', text: 'Copiar código', code: 'DEZ' },
          { type: 'QUICK_REPLY', text: 'Sim' },
        ],
      },
    ],
  });
  expect(shown.header).toEqual({ kind: 'text', text: 'Pedido a caminho' });
  expect(shown.body).toBe('Olá, *Mariana*!');
  expect(shown.footer).toBe('Casa Aroeira');
  expect(shown.buttons).toEqual([
    { kind: 'link', text: 'Rastrear', href: 'https://loja.example/1' },
    { kind: 'link', text: 'Golpe', href: undefined },
    { kind: 'phone', text: 'Ligar', href: 'tel:+551140028922' },
    { kind: 'code', text: 'Copiar código', href: undefined },
    { kind: 'reply', text: 'Sim', href: undefined },
  ]);
});

test('a header names its file by whichever address there is', () => {
  const header = (part: object) => shownTemplate([{ type: 'header', ...part }]).header;
  expect(header({ format: 'IMAGE', link: 'https://x.example/a.png' })).toEqual({
    kind: 'image',
    url: 'https://x.example/a.png',
    name: '',
  });
  expect(
    header({ format: 'image', example: { header_handle: ['https://x.example/b.png'] } }),
  ).toMatchObject({ url: 'https://x.example/b.png' });
  expect(header({ format: 'DOCUMENT', filename: 'boleto.pdf' })).toEqual({
    kind: 'document',
    url: undefined,
    name: 'boleto.pdf',
  });
});

test('the form of a send is understood too', () => {
  const shown = shownTemplate({
    template: {
      components: [
        {
          type: 'header',
          parameters: [{ type: 'image', image: { link: 'https://x.example/a.png' } }],
        },
        { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          parameters: [{ type: 'payload', payload: 'x' }],
        },
      ],
    },
  });
  expect(shown.header).toMatchObject({ kind: 'image', url: 'https://x.example/a.png' });
  expect(shown.buttons).toEqual([]);
});

test.each([undefined, null, 'x', 5, [], {}, [null, 3], { components: 'x' }])(
  '%j has no parts and breaks nothing',
  (data) => {
    expect(shownTemplate(data)).toEqual(nothing);
  },
);

test('odd parts are left out', () => {
  expect(
    shownTemplate([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: 'x' } },
      { type: 'BODY', text: { a: 1 } },
      { type: 'BUTTONS', buttons: 'x' },
      { type: 'BUTTONS', buttons: [null, { type: 'QUICK_REPLY' }] },
    ]),
  ).toEqual({ ...nothing, header: { kind: 'image', url: undefined, name: '' } });
});
