import { expect, test } from 'vitest';
import type { Template } from '@/features/templates/api';
import { missingIn, NO_TEMPLATE, offeredTemplates, storedChoice, templateFields } from './template';

const template = (changes: Partial<Template> = {}): Template => ({
  id: '1',
  name: 'promocao',
  status: 'APPROVED',
  category: 'MARKETING',
  language: 'pt_BR',
  parameter_format: 'POSITIONAL',
  supported: true,
  canBeSent: true,
  needsNumber: false,
  quality: '',
  rejectedReason: '',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Olá, {{1}}! Use {{2}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://loja.test/{{1}}' }] },
  ],
  ...changes,
});
const FILE = { kind: 'image', id: '4::abc', name: '', url: undefined } as const;
const VALUES = { 'body.1': '{nome}', 'body.2': '{cupom}', 'buttons.0': 'maes' };

test('what was typed is stored and read again', () => {
  const choice = { template: template(), values: VALUES, file: FILE };
  const { templateComponents } = templateFields(choice);
  expect(storedChoice(template(), templateComponents)).toEqual(choice);
});

test('named variables are found by their names', () => {
  const named = template({
    parameter_format: 'NAMED',
    components: [{ type: 'BODY', text: '{{loja}} espera {{nome}}' }],
  });
  const values = { 'body.loja': 'Centro', 'body.nome': '{nome}' };
  const { templateComponents } = templateFields({ template: named, values, file: null });
  expect(storedChoice(named, templateComponents).values).toEqual(values);
});

test('what is missing is named, the file too', () => {
  const choice = { template: template(), values: { ...VALUES, 'body.2': ' ' }, file: null };
  expect(missingIn(choice)).toEqual(['file', 'body.2']);
  expect(missingIn({ ...choice, values: VALUES, file: FILE })).toEqual([]);
  expect(missingIn(NO_TEMPLATE)).toEqual([]);
});

test('no template empties what was stored', () => {
  expect(templateFields(NO_TEMPLATE)).toEqual({
    templateName: null,
    templateLanguage: null,
    templateComponents: [],
  });
});

test('codes and what cannot be sent are not offered', () => {
  const offered = [
    template(),
    template({ category: 'AUTHENTICATION' }),
    template({ canBeSent: false }),
  ];
  expect(offeredTemplates(offered)).toEqual([template()]);
});
