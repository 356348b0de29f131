import { expect, test } from 'vitest';
import {
  filledTemplate,
  filledText,
  matching,
  mediaOf,
  sentComponents,
  slotsOf,
  suggestions,
  variablesIn,
  type Template,
} from './filling';

const make = (changes: Partial<Template> = {}): Template => ({
  id: '1',
  name: 'pedido_enviado',
  status: 'APPROVED',
  category: 'UTILITY',
  language: 'pt_BR',
  parameter_format: 'POSITIONAL',
  supported: true,
  canBeSent: true,
  needsNumber: false,
  quality: '',
  rejectedReason: '',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Oi, {{1}}', example: { header_text: ['Bia'] } },
    {
      type: 'BODY',
      text: 'Olá, {{1}}! O pedido *{{2}}* saiu, {{1}}.',
      example: { body_text: [['Mariana', '10482']] },
    },
    { type: 'FOOTER', text: 'Casa Aroeira' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Sim' },
        {
          type: 'URL',
          text: 'Rastrear',
          url: 'https://x.example/r/{{1}}',
          example: ['https://x.example/r/10482'],
        },
        { type: 'URL', text: 'Loja', url: 'https://x.example' },
        { type: 'COPY_CODE', text: 'Copiar código', example: ['DEZ'] },
      ],
    },
  ],
  ...changes,
});

const named = make({
  parameter_format: 'NAMED',
  components: [
    { type: 'HEADER', format: 'DOCUMENT' },
    {
      type: 'BODY',
      text: '{{nome}}, segue o boleto de {{mes}}.',
      example: { body_text_named_params: [{ param_name: 'mes', example: 'maio' }] },
    },
  ],
});

test('each variable is asked for once, with its example', () => {
  expect(slotsOf(make()).map(({ field, kind, example }) => [field, kind, example])).toEqual([
    ['header.1', 'text', 'Bia'],
    ['body.1', 'text', 'Mariana'],
    ['body.2', 'text', '10482'],
    ['buttons.1', 'url', '10482'],
    ['buttons.3', 'code', 'DEZ'],
  ]);
  expect(slotsOf(named).map(({ field, example }) => [field, example])).toEqual([
    ['body.nome', ''],
    ['body.mes', 'maio'],
  ]);
  expect([mediaOf(make()), mediaOf(named)]).toEqual([null, 'document']);
});

test('numbers are in order, names as they appear', () => {
  expect(variablesIn('{{10}} {{ 2 }} {{1}} {{2}}')).toEqual(['1', '2', '10']);
  expect(variablesIn('{{nome}} {{data}} {{nome}}')).toEqual(['nome', 'data']);
});

test('a preview fills what is typed and keeps the braces of the rest', () => {
  const shown = filledTemplate(make(), { 'body.1': ' Ana ', 'header.1': 'Ana' }, null);
  expect(shown.header).toEqual({ kind: 'text', text: 'Oi, Ana' });
  expect(shown.body).toBe('Olá, Ana! O pedido *{{2}}* saiu, Ana.');
  expect(shown.buttons.map(({ kind, href }) => [kind, href])).toEqual([
    ['reply', undefined],
    ['link', undefined],
    ['link', undefined],
    ['code', undefined],
  ]);
});

test('what a value holds is not filled again', () => {
  expect(filledText('{{1}} {{2}}', 'body', { 'body.1': '{{2}}', 'body.2': '$&' })).toBe('{{2}} $&');
});

test('a send has Meta’s form', () => {
  const values = {
    'header.1': 'Ana',
    'body.1': ' Ana ',
    'body.2': '7',
    'buttons.1': '7',
    'buttons.3': 'DEZ',
  };
  expect(sentComponents(make(), values, null)).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: 'Ana' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Ana' },
        { type: 'text', text: '7' },
      ],
    },
    { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '7' }] },
    {
      type: 'button',
      sub_type: 'copy_code',
      index: '3',
      parameters: [{ type: 'coupon_code', coupon_code: 'DEZ' }],
    },
  ]);
  const file = { kind: 'document', id: '55', name: 'boleto.pdf', url: undefined } as const;
  expect(sentComponents(named, { 'body.nome': 'Ana', 'body.mes': 'maio' }, file)).toEqual([
    {
      type: 'header',
      parameters: [{ type: 'document', document: { id: '55', filename: 'boleto.pdf' } }],
    },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Ana', parameter_name: 'nome' },
        { type: 'text', text: 'maio', parameter_name: 'mes' },
      ],
    },
  ]);
});

test('the contact’s first name is typed where the text greets or asks for it', () => {
  const people = { contact: 'Mariana Albuquerque', user: 'Ana Prado' };
  expect(suggestions(make(), people)).toEqual({ 'header.1': 'Mariana', 'body.1': 'Mariana' });
  const called = make({ components: [{ type: 'BODY', text: '{{1}}, a peça {{2}} voltou.' }] });
  expect(suggestions(called, people)).toEqual({ 'body.1': 'Mariana' });
  expect(suggestions(named, people)).toEqual({ 'body.nome': 'Mariana' });
  expect(suggestions(named, { ...people, contact: '+55 11 98432-1107' })).toEqual({
    'body.nome': '',
  });
});

test('the search knows names and texts without accents, and what can be sent comes first', () => {
  const pending = make({ id: '2', name: 'pesquisa', status: 'PENDING', canBeSent: false });
  const english = make({ id: '3', language: 'en_US', category: 'MARKETING' });
  const all = [pending, make(), english];
  const ids = (filter: Partial<{ search: string; category: string; language: string }>) =>
    matching(all, { search: '', category: '', language: '', ...filter }).map(({ id }) => id);
  expect(ids({})).toEqual(['1', '3', '2']);
  expect(ids({ search: 'PEDIDO ola' })).toEqual(['1', '3', '2']);
  expect(ids({ search: 'pesquisa' })).toEqual(['2']);
  expect(ids({ language: 'en_US' })).toEqual(['3']);
  expect(ids({ category: 'UTILITY', search: 'enviado' })).toEqual(['1']);
});
