import { expect, test } from 'vitest';

type Texts = { [key: string]: string | Texts };

const files = import.meta.glob<Texts>('./*/*.json', { eager: true, import: 'default' });
const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../lib/api/schema.d.ts'],
  { eager: true, query: '?raw', import: 'default' },
);

function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
}

const keysByLanguage = (language: string) =>
  Object.entries(files)
    .filter(([path]) => path.startsWith(`./${language}/`))
    .flatMap(([path, texts]) => {
      const namespace = path.split('/')[2]?.replace('.json', '') ?? '';
      return keysOf(texts).map((key) => `${namespace}:${key}`);
    })
    .sort();

const known = new Set(
  keysByLanguage('pt').map((key) => key.replace(/_(zero|one|many|other)$/, '')),
);

/** The literal translation keys of a source file, each with its namespace. */
function usedKeys(source: string): string[] {
  const used: string[] = [];
  const namespace = /useTranslation\(\[?\s*'([\w-]+)'/.exec(source)?.[1] ?? 'common';
  for (const [, key] of source.matchAll(/(?:\bt\(\s*|i18nKey=)['"]([^'"]+)['"]/g)) {
    if (key) used.push(key.includes(':') ? key : `${namespace}:${key}`);
  }
  return used;
}

test.each(['en', 'es'])('%s has exactly the keys of pt', (language) => {
  expect(keysByLanguage(language)).toEqual(keysByLanguage('pt'));
});

test('no text is empty', () => {
  const empty = Object.entries(files).flatMap(([path, texts]) =>
    JSON.stringify(texts).includes('""') ? [path] : [],
  );
  expect(empty).toEqual([]);
});

test('every key in the code has a text', () => {
  const missing = Object.entries(sources).flatMap(([path, source]) =>
    usedKeys(source)
      .filter((key) => !known.has(key))
      .map((key) => `${path} ${key}`),
  );
  expect(missing).toEqual([]);
});

test('an empty result in Spanish is said as Spanish says it', () => {
  const clumsy = Object.entries(files)
    .filter(([path]) => path.startsWith('./es/'))
    .flatMap(([path, texts]) =>
      [...JSON.stringify(texts).matchAll(/"(Nada|Ning\S+ \S+) encontrad[^"]*/g)].map(
        ([words]) => `${path} ${words}`,
      ),
    );
  expect(clumsy).toEqual([]);
});

test('Spanish speaks to people as usted', () => {
  const familiar =
    /["“:.] ?(?:Abre|Añade|Elige|Escribe|Ingresa|Pega|Revisa|Toca|Verifica) | (?:tus?|puedes|quieres|tienes) /g;
  const found = Object.entries(files)
    .filter(([path]) => path.startsWith('./es/'))
    .flatMap(([path, texts]) =>
      [...JSON.stringify(texts).matchAll(familiar)].map(([words]) => `${path} ${words}`),
    );
  expect(found).toEqual([]);
});
