import i18n, { type Callback, type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { untilItComes } from './untilItComes';

export { i18n };

export const LANGUAGES = { pt: 'Português', en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'language';
export const HTML_LANG: Record<Language, string> = { pt: 'pt-BR', en: 'en', es: 'es' };
type Texts = Record<string, unknown>;

/** The texts of the first pages come in one file, those of the others in one for each namespace. */
const firstFiles: Record<string, () => Promise<Record<string, Texts>>> = {
  pt: () => import('./pt'),
  en: () => import('./en'),
  es: () => import('./es'),
};
/** Their namespaces. */
export const firstTexts = [
  ...['announcements', 'chat', 'common', 'conversation', 'errors', 'inbox', 'messages'],
  ...['notifications', 'session', 'shell', 'tickets'],
];
const files = import.meta.glob<Texts>(
  [
    './*/*.json',
    '!./*/{announcements,chat,common,conversation,errors,inbox,messages,notifications}.json',
    '!./*/{session,shell,tickets}.json',
  ],
  { import: 'default' },
);

/** Loads the texts of a namespace; every page needs the first file anyhow. */
async function textsOf(language: string, namespace: string): Promise<Texts> {
  const first = await firstFiles[language]?.();
  const texts = first?.[namespace] ?? (await files[`./${language}/${namespace}.json`]?.());
  if (!texts) throw new Error(`No texts for ${language}/${namespace}`);
  return texts;
}

const isLanguage = (value: string | null): value is Language => !!value && value in LANGUAGES;

function startLanguage(): Language {
  const stored = localStorage.getItem(KEY);
  if (isLanguage(stored)) return stored;
  const browser = navigator.language.slice(0, 2);
  return isLanguage(browser) ? browser : 'pt';
}

/** Loads `i18n/<lang>/<namespace>.json` when a component first asks for the namespace. */
const lazyFiles = {
  type: 'backend' as const,
  init: () => undefined,
  // i18next never retries a failed namespace; the page would stay without texts.
  read: (language: string, namespace: string) =>
    untilItComes(
      () => textsOf(language, namespace),
      () => i18n.emit('failedLoading', language, namespace),
    ),
};

i18n.on('languageChanged', (language) => {
  if (isLanguage(language)) document.documentElement.lang = HTML_LANG[language];
});

/**
 * Loads only the requested namespaces. i18next's own function waits for all known ones: a single
 * file that hangs would keep every later page without texts.
 */
function loadTheseAlone(names: string | readonly string[], callback?: Callback) {
  const asked = typeof names === 'string' ? [names] : [...names];
  const known = i18n.options.ns;
  // A change of language reloads all known namespaces.
  if (Array.isArray(known)) known.push(...asked.filter((name) => !known.includes(name)));
  const connector = i18n.services.backendConnector as Connector;
  return new Promise<void>((resolve) => {
    connector.load(i18n.language, asked, (error) => {
      resolve();
      callback?.(error, i18n.t);
    });
  });
}

interface Connector {
  /** Loads namespaces for a language and its fallbacks. */
  load: (language: string, names: string[], done: (error?: unknown) => void) => void;
}

/** Initialises the translations. Tests pass all resources; the language is then pt. */
export async function startI18n(resources?: Resource) {
  i18n.use(initReactI18next);
  if (!resources) i18n.use(lazyFiles);
  await i18n.init({
    ...(resources && { resources }),
    lng: resources ? 'pt' : startLanguage(),
    // All languages have the same keys (parity.test.ts), so one is enough.
    fallbackLng: false,
    supportedLngs: Object.keys(LANGUAGES),
    // All of the first file: a component that waits for texts is drawn twice, and shown later.
    ns: firstTexts,
    defaultNS: 'common',
    interpolation: { escapeValue: false },
  });
  if (!resources) i18n.loadNamespaces = loadTheseAlone;
}

export async function chooseLanguage(language: Language) {
  localStorage.setItem(KEY, language);
  await i18n.changeLanguage(language);
}

export const currentLanguage = (): Language => (isLanguage(i18n.language) ? i18n.language : 'pt');
