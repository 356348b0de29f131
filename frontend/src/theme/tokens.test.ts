import { expect, test } from 'vitest';
import { semanticTokens, tokens } from './tokens';

const sources = import.meta.glob<string>('../{components,features,routes}/**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const isNamed = (name: string, tree: unknown): boolean =>
  name
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], tree) !==
  undefined;

/** What the sources name by `pattern`, where that is no token; each with its file. */
function unknown(pattern: RegExp, isToken: (name: string) => boolean): string[] {
  return Object.entries(sources).flatMap(([file, source]) =>
    [...source.matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => !isToken(name))
      .map((name) => `${file}: ${name}`),
  );
}

test('every colour of a screen is a token: another name leaves the text as it was', () => {
  const colour =
    /(?:[cC]olor|bg|fill|stroke)(?:=|: )\{?['"]((?:bg|fg|border|brand|bubble|status)\.[\w.]+)['"]/g;
  expect(unknown(colour, (name) => isNamed(name, semanticTokens.colors))).toEqual([]);
});

test('every bare number of a size or a space is a token: another one has no effect', () => {
  const size =
    /\b(?:[wh]|min[WH]|max[WH]|gap|rowGap|columnGap|[pm][xytbse]?)(?:="|: ')(\d[\d.]*)['"]/g;
  expect(unknown(size, (name) => name in tokens.sizes)).toEqual([]);
});
