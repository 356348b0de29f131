import { expect, test } from 'vitest';
import { shownTemplate } from '@/lib/templates/shown';
import {
  isForwarded,
  referralOf,
  parseCards,
  parseMenu,
  parseCloudCards,
  parseData,
  parseLocation,
} from './parse';

test('a location has an image, a link and words, each of which may lack', () => {
  expect(parseLocation('|https://maps.google.com/?q=1,2|Praça | da Sé')).toEqual({
    image: '',
    href: 'https://maps.google.com/?q=1,2',
    description: 'Praça|da Sé',
  });
  expect(parseLocation('data:image/png;base64,AAAA|javascript:alert(1)')).toEqual({
    image: 'data:image/png;base64,AAAA',
    href: undefined,
    description: '',
  });
});

test('cards give names and numbers, with the WhatsApp id before the written number', () => {
  const body = [
    'BEGIN:VCARD',
    'N:;Maria;;;',
    'FN:Maria\\, a florista',
    'TEL;type=CELL;waid=5511984321107:+55 11 98432-1107',
    'END:VCARD',
    'BEGIN:VCARD',
    'FN:Zé',
    'item1.TEL:+55 31 3333-4444',
    'END:VCARD',
  ].join('\n');
  expect(parseCards(body)).toEqual([
    { name: 'Maria, a florista', numbers: ['+5511984321107'] },
    { name: 'Zé', numbers: ['+55 31 3333-4444'] },
  ]);
  expect(parseCards('só um texto')).toEqual([]);
});

test('cards of the Cloud API are read from the data', () => {
  const data = { contacts: [{ name: { formatted_name: 'Maria' }, phones: [{ phone: '+55 11' }] }] };
  expect(parseCloudCards(data)).toEqual([{ name: 'Maria', numbers: ['+55 11'] }]);
});

test('menus of buttons and of rows give their titles, rows what is said below', () => {
  const buttons = [{ reply: { id: '1', title: 'Vendas' } }];
  expect(parseMenu({ body: { text: 'Escolha' }, action: { buttons } })).toMatchObject({
    body: 'Escolha',
    choices: [{ title: 'Vendas', description: '' }],
  });
  const sections = [{ rows: [{ title: 'A', description: 'Só no centro' }, { title: 'B' }] }];
  expect(parseMenu({ action: { sections } }).choices).toEqual([
    { title: 'A', description: 'Só no centro', section: '' },
    { title: 'B', description: '', section: '' },
  ]);
});

test.each([null, '', '{broken', '[1]', '"x"', '{"components":[null,5]}'])(
  'data %j harms nothing',
  (dataJson) => {
    const data = parseData(dataJson);
    expect(shownTemplate(data).buttons).toEqual([]);
    expect(parseMenu(data).choices).toEqual([]);
    expect(parseCloudCards(data).every(({ numbers }) => numbers.length === 0)).toBe(true);
  },
);

test('older rows keep the data as an object, or as text in text', () => {
  expect(parseData({ a: 1 })).toEqual({ a: 1 });
  expect(parseData(JSON.stringify(JSON.stringify({ a: 1 })))).toEqual({ a: 1 });
});

test.each([
  ['{"forwarded":true}', true],
  ['{"contacts":[],"forwarded":true}', true],
  ['{"forwarded":false}', false],
  ['{"text":"\\"forwarded\\""}', false],
  ['{broken "forwarded"', false],
  [null, false],
])('%j was passed on: %j', (dataJson, wanted) => {
  expect(isForwarded(dataJson)).toBe(wanted);
});

test.each([
  [
    '{"referral":{"source_type":"ad","headline":"Inverno","source_url":"https://fb.me/3"}}',
    { isAd: true, headline: 'Inverno', body: '', href: 'https://fb.me/3' },
  ],
  [
    '{"referral":{"source_type":"post","body":"Novo","source_url":"javascript:alert(1)"}}',
    { isAd: false, headline: '', body: 'Novo', href: undefined },
  ],
  ['{"referral":{}}', undefined],
  ['{"referral":"ad"}', undefined],
  ['{"text":"referral"}', undefined],
  [null, undefined],
])('%j came by %j', (dataJson, wanted) => {
  expect(referralOf(dataJson)).toEqual(wanted);
});
