/** All functions that process texts of other people, and long texts to test them with. */
import { renderHook } from '@testing-library/react';
import { aroundHit } from '@/components/Highlight';
import { fillParameter, fillText, unknownIn } from '@/features/campaigns/filling';
import { readHours } from '@/features/campaigns/settings';
import { numbersIn } from '@/features/campaigns/testSend';
import * as holidays from '@/features/desk/deadlines/holidays';
import { amountOf } from '@/features/ledger/amounts';
import {
  labelOf,
  matching as matchingQuickMessages,
  termOf,
} from '@/features/messages/composer/quickMessageSearch';
import { partsOf } from '@/features/messages/highlight';
import * as mentions from '@/features/messages/notes/mentions';
import { parseCards, parseLocation } from '@/features/messages/parse';
import { variablesIn } from '@/lib/templates/filling';
import * as filling from '@/lib/templates/filling';
import { makeMessage, makeTicket } from '@/features/messages/testData';
import { useSummary } from '@/features/messages/useSummary';
import type { QuickMessage } from '@/features/quickMessages/api';
import { unknownVariables } from '@/features/schedules/unknownVariables';
import * as forms from '@/features/templates/form';
import { shownTemplate } from '@/features/templates/foreign';
import { isContactFound } from '@/features/tickets/fold';
import { lastWords } from '@/features/tickets/lastWords';
import { isOnlyEmoji, parseMarkup, plainText, withoutSignature } from '@/lib/markup';
import { findDigits, findFolded, foldLetters, foldText } from '@/lib/search';
import { shortLength } from '@/lib/shorten';
import { fillVariables } from '@/lib/variables';

export const LONGEST = 65_536;
export const long = (piece: string, length = LONGEST) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const quickMessage = (message: string) =>
  ({ shortcode: 'oi', message, mediaName: null }) as QuickMessage;
const form = (text: string): forms.TemplateForm => ({
  ...forms.emptyForm('pt_BR'),
  headerFormat: 'TEXT',
  headerText: text,
  body: text,
  footer: text,
  buttons: [{ ...forms.newButton('URL'), text, url: `https://${text}` }],
});
const template = (text: string) =>
  ({ name: 'a', components: [{ type: 'BODY', text }] as object[] }) as filling.Template;
const { current: summaryOf } = renderHook(() => useSummary()).result;
const named = (name: string) => [{ kind: 'user' as const, id: 1, name }];
const KINDS = ['conversation', 'image', 'vcard', 'locationMessage', 'application'] as const;

/** By file and name: the functions that process texts of other people. */
export const READERS: Record<string, (text: string) => unknown> = {
  'components/Highlight.tsx aroundHit': (text) => [aroundHit(text, 'a'), aroundHit(text, text)],
  'features/campaigns/filling.ts fillParameter': (text) => [
    fillParameter(text, { nome: 'Ana' }),
    fillParameter(`{${text}`, { nome: text }),
  ],
  'features/campaigns/settings.ts readHours': (text) => [
    readHours(text),
    readHours(`${text}-${text}`),
  ],
  'features/campaigns/filling.ts fillText': (text) => [
    fillText(text, { nome: 'Ana' }, { name: 'Ana' }),
    fillText(`{{${text}`, { nome: 'Ana' }, { name: 'Ana' }),
    fillText(`{${text}`, { nome: text }, { name: text }),
  ],
  'features/campaigns/filling.ts unknownIn': (text) => [
    unknownIn(text, []),
    unknownIn(`{${text}`, [{ key: 'a', value: text }]),
  ],
  'features/campaigns/testSend.ts numbersIn': numbersIn,
  'features/desk/deadlines/holidays.ts daysOf': (text) => [
    holidays.daysOf(text),
    holidays.daysOf(`2026-01-01 ${text}`),
    holidays.daysOf(long(`2026-01-01 ${text.slice(0, 2)}\n`, text.length)),
  ],
  'features/desk/deadlines/holidays.ts withDay': (text) =>
    holidays.withDay(long(`2026-01-01 ${text.slice(0, 2)}\n`, text.length), {
      date: '2026-01-02',
      name: text,
      startTime: '',
      endTime: '',
    }),
  'features/desk/deadlines/holidays.ts withoutDay': (text) =>
    holidays.withoutDay(long(`2026-01-01 ${text.slice(0, 2)}\n`, text.length), '2026-01-02'),
  'features/ledger/amounts.ts amountOf': amountOf,
  'features/messages/composer/quickMessageSearch.ts labelOf': (text) => labelOf(quickMessage(text)),
  'features/messages/composer/quickMessageSearch.ts matching': (text) => [
    matchingQuickMessages([quickMessage(text)], 'zz'),
    matchingQuickMessages([quickMessage('a')], text),
  ],
  'features/messages/composer/quickMessageSearch.ts termOf': termOf,
  'features/messages/highlight.ts partsOf': (text) => [
    partsOf(text, 'a'),
    partsOf(text, long('a')),
    partsOf('a', text),
  ],
  'features/messages/notes/mentions.ts namedIn': (text) => [
    mentions.namedIn(text, named('b.c '), []),
    mentions.namedIn(`@Ana ${text}`, named('Ana'), named('Ana')),
  ],
  'features/messages/notes/mentions.ts partsOf': (text) => [
    mentions.partsOf(text, named('b.c ')),
    mentions.partsOf(long(`@${text.slice(0, 2)}`, text.length), named('Ana')),
    mentions.partsOf(text, named(text)),
  ],
  'features/messages/notes/mentions.ts termAt': (text) => [
    mentions.termAt(text, text.length),
    mentions.termAt(`@${text}`, text.length + 1),
  ],
  'features/messages/parse.ts parseCards': (text) => [
    parseCards(text),
    parseCards(`BEGIN:VCARD\nFN:${text}`),
    parseCards(`BEGIN:VCARD\n${text}:1`),
  ],
  'features/messages/parse.ts parseLocation': parseLocation,
  'lib/templates/filling.ts filledText': (text) =>
    filling.filledText(`{{${text}`, 'body', { 'body.a': 'b' }),
  'lib/templates/filling.ts matching': (text) => [
    filling.matching([template(text)], { search: 'z y', category: '', language: '' }),
    filling.matching([template('a')], { search: text, category: '', language: '' }),
  ],
  'lib/templates/filling.ts suggestions': (text) => [
    filling.suggestions(template(`${text}{{1}}`), { contact: text, user: 'Ana' }),
    filling.suggestions(template(`Olá ${text}{{1}}`), { contact: `+${text}x`, user: 'Ana' }),
  ],
  'lib/templates/filling.ts variablesIn': (text) => variablesIn(`{{${text}`),
  'features/messages/useSummary.ts useSummary': (text) =>
    KINDS.map((mediaType) => summaryOf(makeMessage(1, { mediaType, body: text }))),
  'features/schedules/unknownVariables.ts unknownVariables': (text) => [
    unknownVariables(text),
    unknownVariables(`{{${text}`),
  ],
  'features/templates/form.ts aroundSamples': (text) => forms.aroundSamples(`\uE000${text}`),
  'features/templates/form.ts faultsOf': (text) => forms.faultsOf(form(text)),
  'features/templates/form.ts nextVariable': (text) => forms.nextVariable(text, true),
  'features/templates/form.ts shownOf': (text) => forms.shownOf(form(text), 'Copiar'),
  'features/templates/form.ts variablesIn': (text) => forms.variablesIn(`{{${text}`),
  'features/templates/form.ts withoutMarks': forms.withoutMarks,
  'features/templates/foreign.ts shownTemplate': (text) =>
    shownTemplate(template(`${text}{{1}}`), { code: 'Copiar', location: 'Local' }),
  'features/tickets/fold.ts isContactFound': (text) => [
    isContactFound({ ...makeTicket().contact, name: text }, 'zz'),
    isContactFound(makeTicket().contact, text),
  ],
  'features/tickets/lastWords.ts lastWords': (text) => [
    lastWords(makeTicket({ lastMessage: text })),
    lastWords(makeTicket({ lastMessage: `*Ana:*${text}`, lastMessageFromMe: true })),
  ],
  'lib/markup.ts isOnlyEmoji': isOnlyEmoji,
  'lib/markup.ts parseMarkup': (text) => parseMarkup(text),
  'lib/markup.ts plainText': plainText,
  'lib/markup.ts withoutSignature': (text) => [
    withoutSignature(text),
    withoutSignature(`*Ana:*${text}`),
  ],
  'lib/search.ts findDigits': (text) => [findDigits(text, '99'), findDigits('9', text)],
  'lib/search.ts findFolded': (text) => [findFolded(text, 'zz'), findFolded('zz', text)],
  'lib/search.ts foldLetters': foldLetters,
  'lib/search.ts foldText': foldText,
  'lib/shorten.ts shortLength': shortLength,
  'lib/variables.ts fillVariables': (text) => fillVariables(`{{${text}`, { a: 'b' }),
};
