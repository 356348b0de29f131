/** What a customer may write to hang the browser is read at once, and makes few elements. */
import { renderHook } from '@testing-library/react';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { aroundHit } from '@/components/Highlight';
import { fillParameter, fillText, unknownIn } from '@/features/campaigns/filling';
import { readHours } from '@/features/campaigns/settings';
import { numbersIn } from '@/features/campaigns/trial';
import {
  labelOf,
  matching as matchingQuickMessages,
  termOf,
} from '@/features/messages/composer/quickMessageSearch';
import { MOST_HITS, partsOf } from '@/features/messages/highlight';
import {
  MOST_CARDS,
  MOST_CHOICES,
  MOST_NUMBERS,
  parseCards,
  parseChoices,
  parseCloudCards,
  parseLocation,
} from '@/features/messages/parse';
import { variablesIn } from '@/features/messages/templates/filling';
import * as filling from '@/features/messages/templates/filling';
import { makeMessage, makeTicket } from '@/features/messages/testData';
import { useSummary } from '@/features/messages/useSummary';
import type { QuickMessage } from '@/features/quickMessages/api';
import { unknownVariables } from '@/features/schedules/unknownVariables';
import * as drafts from '@/features/templates/draft';
import { shownTemplate } from '@/features/templates/foreign';
import { isContactFound } from '@/features/tickets/fold';
import { lastWords } from '@/features/tickets/lastWords';
import {
  isOnlyEmoji,
  MOST_MARKS,
  parseMarkup,
  plainText,
  withoutSignature,
  type Node,
} from '@/lib/markup';
import { findDigits, findFolded, foldLetters, foldText } from '@/lib/search';
import { shortLength } from '@/lib/shorten';
import { fillVariables } from '@/lib/variables';

const LONGEST = 65_536;
const long = (piece: string, length = LONGEST) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const PIECES = [
  ...['a ', ' ', '\n', '\r\n ', '*a* ', '~*_a_*~ ', '`a` ', '**a', 'a@b.c ', 'www.a ', '(www.'],
  ...[
    '{{a}}',
    '{{ ',
    '|',
    '😍 ',
    '👨‍',
    'e\u0301',
    '\u0301\u0316',
    '\ufdfa',
    '+1 (',
    'TEL:1\n',
    '\\n',
  ],
  ...['BEGIN:VCARD\nTEL:1\n', '\uE000', '\uE000a\uE001', '{{1}} ', '1', '/'],
];

const quickMessage = (message: string) =>
  ({ shortcode: 'oi', message, mediaName: null }) as QuickMessage;
const draft = (text: string): drafts.Draft => ({
  ...drafts.emptyDraft('pt_BR'),
  headerFormat: 'TEXT',
  headerText: text,
  body: text,
  footer: text,
  buttons: [{ ...drafts.newButton('URL'), text, url: `https://${text}` }],
});
const template = (text: string) =>
  ({ name: 'a', components: [{ type: 'BODY', text }] as object[] }) as filling.Template;
const { current: summaryOf } = renderHook(() => useSummary()).result;
const KINDS = ['conversation', 'image', 'vcard', 'locationMessage', 'application'] as const;

/** By file and name: whatever reads a text that others wrote. */
const READERS: Record<string, (text: string) => unknown> = {
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
  'features/campaigns/trial.ts numbersIn': numbersIn,
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
  'features/messages/parse.ts parseCards': (text) => [
    parseCards(text),
    parseCards(`BEGIN:VCARD\nFN:${text}`),
    parseCards(`BEGIN:VCARD\n${text}:1`),
  ],
  'features/messages/parse.ts parseLocation': parseLocation,
  'features/messages/templates/filling.ts filledText': (text) =>
    filling.filledText(`{{${text}`, 'body', { 'body.a': 'b' }),
  'features/messages/templates/filling.ts matching': (text) => [
    filling.matching([template(text)], { search: 'z y', category: '', language: '' }),
    filling.matching([template('a')], { search: text, category: '', language: '' }),
  ],
  'features/messages/templates/filling.ts suggestions': (text) => [
    filling.suggestions(template(`${text}{{1}}`), { contact: text, user: 'Ana' }),
    filling.suggestions(template(`Olá ${text}{{1}}`), { contact: `+${text}x`, user: 'Ana' }),
  ],
  'features/messages/templates/filling.ts variablesIn': (text) => variablesIn(`{{${text}`),
  'features/messages/useSummary.ts useSummary': (text) =>
    KINDS.map((mediaType) => summaryOf(makeMessage(1, { mediaType, body: text }))),
  'features/schedules/unknownVariables.ts unknownVariables': (text) => [
    unknownVariables(text),
    unknownVariables(`{{${text}`),
  ],
  'features/templates/draft.ts aroundSamples': (text) => drafts.aroundSamples(`\uE000${text}`),
  'features/templates/draft.ts faultsOf': (text) => drafts.faultsOf(draft(text)),
  'features/templates/draft.ts nextVariable': (text) => drafts.nextVariable(text, true),
  'features/templates/draft.ts shownOf': (text) => drafts.shownOf(draft(text), 'Copiar'),
  'features/templates/draft.ts variablesIn': (text) => drafts.variablesIn(`{{${text}`),
  'features/templates/draft.ts withoutMarks': drafts.withoutMarks,
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

/** They take a text and look at none of its letters, or at one that the reader typed himself. */
const NO_READERS = new Set([
  'features/chat/drafts.ts writeDraft',
  'features/chat/outbox.ts send',
  'features/contacts/api.ts contactSearchQuery',
  'features/messages/api.ts editMessage',
  'features/messages/api.ts foundMessagesQuery',
  'features/messages/api.ts sendFile',
  'features/messages/api.ts sendText',
  'features/messages/composer/composition.ts withText',
  'features/messages/composer/signing.ts signed',
  'features/messages/composer/signing.ts unsigned',
  'features/messages/composer/signing.ts unsignedBody',
  'features/messages/kinds.ts captionOf',
  'features/messages/outbox.ts send',
  'features/messages/storedFiles.ts sendStored',
  'features/messagesApi/api.ts sendAsProgram',
  'features/messagesApi/number.ts isNumber',
  'features/prompts/testLines.ts asked',
  'features/schedules/schemas.ts isStatus',
  'features/tasks/list.ts withTask',
  'features/tasks/list.ts withText',
  // What stands above, in turn.
  'features/tickets/LastMessage.tsx FoundMessage',
  'features/tickets/tags.ts creatableName',
  'features/tickets/tags.ts matchingTags',
  'lib/api/errors.ts errorFromBody',
  'lib/dates.ts isDay',
  'lib/desktop.ts showOnDesktop',
  'lib/hours.ts isTime',
  'simulator/MessageContent.tsx summary',
]);

const TEXTS = new Set(['text', 'body', 'words', 'caption', 'lastMessage']);

/** The functions that a module exports and that are given a text, by the parameter's name. */
function takersOfTexts(path: string, source: string): string[] {
  const takes = ({ name, type }: ts.ParameterDeclaration) =>
    ts.isIdentifier(name)
      ? TEXTS.has(name.text) && (type?.getText() ?? '').includes('string')
      : name.elements.some(
          (each) =>
            ts.isBindingElement(each) &&
            ['body', 'lastMessage'].includes((each.propertyName ?? each.name).getText()),
        );
  const isExported = (node: ts.FunctionDeclaration | ts.VariableStatement) =>
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  const found: string[] = [];
  for (const node of ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true).statements) {
    if (ts.isFunctionDeclaration(node) && isExported(node) && node.parameters.some(takes))
      found.push(node.name?.text ?? '');
    if (!ts.isVariableStatement(node) || !isExported(node)) continue;
    for (const { name, initializer } of node.declarationList.declarations)
      if (initializer && ts.isArrowFunction(initializer) && initializer.parameters.some(takes))
        found.push(name.getText());
  }
  return found.map((name) => `${path} ${name}`);
}

// Expressions that go back and forth over a text are ESLint's to find, wherever they stand.
test('whoever takes a text is tried with hostile ones', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../test/**'], {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  const takers = Object.entries(sources).flatMap(([path, source]) =>
    takersOfTexts(path.replace('../', ''), source),
  );
  expect(takers.length).toBeGreaterThan(30);
  expect(takers.filter((name) => !(name in READERS) && !NO_READERS.has(name))).toEqual([]);
  expect([...NO_READERS].filter((name) => !takers.includes(name))).toEqual([]);
});

const TIMES = 32;
/** Between 32 and its square, as far from either: collecting garbage may take more than its share. */
const STEEP = 180;
/** The square of the longest text is milliards of steps: what took less than these ms made fewer. */
const AT_ONCE = 500;

function msOf(read: (text: string) => unknown, text: string): number {
  const startedAt = performance.now();
  read(text);
  return performance.now() - startedAt;
}

/** Does 32 times the text take its square's time? The least of some tries: others interrupt. */
function isSteep(read: (text: string) => unknown, piece: string): boolean {
  let [short, whole] = [Infinity, Infinity];
  for (let tries = 0; tries < 3; tries += 1) {
    // It is the first to run, not yet compiled, and one interruption is most of what it takes.
    for (let again = 0; again < 5; again += 1)
      short = Math.min(short, msOf(read, long(piece, LONGEST / TIMES)));
    whole = Math.min(whole, msOf(read, long(piece)));
    if (whole <= Math.max(AT_ONCE, short * STEEP)) return false;
  }
  return true;
}

test.each(Object.keys(READERS))('%s takes as long as a text is', (name) => {
  const read = READERS[name] ?? parseMarkup;
  expect(PIECES.filter((piece) => isSteep(read, piece))).toEqual([]);
});

test('what takes the square of the time is found', () => {
  const square = ({ length }: string) => {
    let sum = 0;
    for (let step = 0; step < length ** 2 * 0.45; step += 1) sum ^= step;
    return sum;
  };
  expect(isSteep(square, 'a')).toBe(true);
});

const count = (nodes: Node[]): number =>
  nodes.reduce((sum, node) => sum + 1 + ('children' in node ? count(node.children) : 0), 0);

test.each(PIECES)('%j makes few elements of a text', (piece) => {
  const text = long(piece);
  // Each mark, the words before it and those inside.
  expect(count(parseMarkup(text))).toBeLessThanOrEqual(3 * MOST_MARKS);
  expect(partsOf(text, piece).length).toBeLessThanOrEqual(2 * MOST_HITS + 1);
});

test('no letter is lost behind the last mark and the last hit', () => {
  const words = long('*a* ');
  const rest = parseMarkup(words).at(-1);
  expect(rest).toEqual({ kind: 'text', text: words.slice(MOST_MARKS * 4 - 1) });
  const parts = partsOf(words, 'a');
  expect(parts.map((part) => part.text).join('')).toBe(words);
  expect(parts.filter((part) => part.isHit)).toHaveLength(MOST_HITS);
});

test('cards, their numbers and the rows of a menu are bounded', () => {
  const cards = parseCards(long('BEGIN:VCARD\nTEL:1\n'));
  expect(cards).toHaveLength(MOST_CARDS);
  const numbers = Array.from({ length: 9000 }, (_, index) => `TEL:${index}\n`).join('');
  expect(parseCards(`BEGIN:VCARD\n${numbers}`)[0]?.numbers).toHaveLength(MOST_NUMBERS);
  const phones = Array.from({ length: 9000 }, (_, index) => ({ phone: `${index}` }));
  const read = parseCloudCards([{ phones }, ...Array<object>(9000).fill({ phones })]);
  expect(read).toHaveLength(MOST_CARDS);
  expect(read.flatMap((card) => card.numbers)).toHaveLength(MOST_NUMBERS);
  const choices = Array<object>(9000).fill({ title: 'A' });
  expect(parseChoices({ choices }).choices).toHaveLength(MOST_CHOICES);
});
