import { describe, expect, it } from 'vitest';
import {
  canBeEdited,
  emptyForm,
  faultsOf,
  formOf,
  inOrder,
  inputOf,
  newButton,
  nextVariable,
  shownOf,
  type TemplateForm,
} from './form';
import type { Template } from './types';

const good = (changes: Partial<TemplateForm> = {}): TemplateForm => ({
  ...emptyForm('pt_BR'),
  name: 'pedido_enviado',
  body: 'Olá, {{1}}! O pedido *{{2}}* saiu.',
  samples: { 'body.1': 'Mariana', 'body.2': '10482' },
  ...changes,
});

const template = (changes: Partial<Template> = {}): Template => ({
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
    {
      type: 'HEADER',
      format: 'TEXT',
      text: 'Pedido {{1}}',
      example: { header_text: ['10482'] },
    },
    {
      type: 'BODY',
      text: 'Olá, {{1}}! Saiu.',
      example: { body_text: [['Mariana']] },
    },
    { type: 'FOOTER', text: 'Loja' },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'Ver',
          url: 'https://a.example/r/{{1}}',
          example: ['https://a.example/r/10482'],
        },
        { type: 'QUICK_REPLY', text: 'Obrigada' },
      ],
    },
  ],
  ...changes,
});

describe('faultsOf', () => {
  it('takes a good form', () => {
    expect(faultsOf(good())).toEqual({});
  });

  it.each<[Partial<TemplateForm>, string, string]>([
    [{ name: 'Pedido Enviado' }, 'name', 'name'],
    [{ body: '' }, 'body', 'required'],
    [{ body: '{{1}} saiu com {{2}}.' }, 'body', 'edge'],
    [{ body: 'Saiu {{1}} para {{2}}' }, 'body', 'edge'],
    [{ body: 'Olá, {{2}} e {{3}}!' }, 'body', 'numbered'],
    [{ body: 'Olá, {{nome!' }, 'body', 'braces'],
    [{ body: 'Olá, {{Nome}}!', named: true }, 'body', 'named'],
    [{ body: `a${'b'.repeat(1024)}` }, 'body', 'long'],
    [{ samples: { 'body.1': 'Mariana' } }, 'samples.body.2', 'sample'],
    [{ headerFormat: 'TEXT' }, 'header', 'required'],
    [{ headerFormat: 'TEXT', headerText: '{{1}} e {{2}}' }, 'header', 'oneVariable'],
    [{ headerFormat: 'IMAGE' }, 'headerFile', 'file'],
    [{ footer: 'a'.repeat(61) }, 'footer', 'long'],
    [{ footer: 'Loja {{1}}' }, 'footer', 'noVariables'],
    [{ buttons: [newButton('QUICK_REPLY')] }, 'buttons.0', 'buttonText'],
    [{ buttons: [{ ...newButton('URL'), text: 'Ver', url: 'loja' }] }, 'buttons.0', 'url'],
    [
      { buttons: [{ ...newButton('URL'), text: 'Ver', url: 'https://a.b/{{1}}' }] },
      'buttons.0',
      'urlExample',
    ],
    [{ buttons: [{ ...newButton('PHONE_NUMBER'), text: 'Ligar' }] }, 'buttons.0', 'phone'],
    [{ buttons: [newButton('COPY_CODE')] }, 'buttons.0', 'code'],
  ])('finds in %j a fault of %s', (changes, field, key) => {
    expect(faultsOf(good(changes))[field]?.key).toBe(key);
  });
});

it('reads a template back as it was written', () => {
  const form = formOf(template());
  expect(form).toMatchObject({
    headerFormat: 'TEXT',
    headerText: 'Pedido {{1}}',
    body: 'Olá, {{1}}! Saiu.',
    footer: 'Loja',
    samples: { 'header.1': '10482', 'body.1': 'Mariana' },
  });
  // Quick replies come first; the sample of a link is only its variable part.
  expect(form.buttons.map(({ type, example }) => [type, example])).toEqual([
    ['QUICK_REPLY', ''],
    ['URL', '10482'],
  ]);
  expect(faultsOf(form)).toEqual({});
  expect(inputOf(form).samples).toEqual([
    { field: 'header.1', value: '10482' },
    { field: 'body.1', value: 'Mariana' },
  ]);
});

it('offers only what Meta lets be changed, and what is written here', () => {
  expect(canBeEdited(template())).toBe(true);
  expect(canBeEdited(template({ status: 'PENDING' }))).toBe(false);
  expect(canBeEdited(template({ category: 'AUTHENTICATION' }))).toBe(false);
  expect(canBeEdited(template({ supported: false }))).toBe(false);
});

it('names the next variable', () => {
  expect(nextVariable('Olá, {{1}}', false)).toBe('2');
  expect(nextVariable('Olá, {{variavel_2}}', true)).toBe('variavel_3');
});

it('shows samples where they are and braces where they are not', () => {
  const shown = shownOf(good({ samples: { 'body.1': 'Bia' } }), 'Copiar');
  expect(shown.body.replace(/[\uE000\uE001]/g, '|')).toBe('Olá, |Bia|! O pedido *|{{2}}|* saiu.');
  expect(shown.header).toBeNull();
});

it('keeps quick replies together', () => {
  const kinds = (['URL', 'QUICK_REPLY', 'COPY_CODE', 'QUICK_REPLY'] as const).map(newButton);
  expect(inOrder(kinds).map(({ type }) => type)).toEqual([
    'QUICK_REPLY',
    'QUICK_REPLY',
    'URL',
    'COPY_CODE',
  ]);
});
