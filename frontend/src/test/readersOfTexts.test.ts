/** Reads only the sources: `make check` runs it (`check-frontend-sources`). */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { READERS } from './readersOfTexts';

/** These functions get a text but do not process it, or only a text that the user typed. */
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
  'features/messages/notes/drafts.ts writeNote',
  'features/messages/storedFiles.ts sendStored',
  'features/messagesApi/api.ts sendAsProgram',
  'features/messagesApi/number.ts isNumber',
  'features/prompts/testLines.ts asked',
  'features/schedules/schemas.ts isStatus',
  'features/tasks/list.ts withTask',
  'features/tasks/list.ts withText',
  // Calls functions that are in READERS.
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

/** The exported functions of a module that take a text, recognised by the parameter's name. */
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

// ESLint finds regular expressions that backtrack.
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
