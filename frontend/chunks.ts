import { relative, sep } from 'node:path';
import { build, type Plugin, type PluginOption, type Rolldown, type UserConfig } from 'vite';

/** The first pages, each named by the modules that the browser asks for. */
const PAGES = {
  main: 'src/main.tsx',
  login: 'src/routes/login.tsx',
  layout: 'src/routes/layout.tsx',
  tickets: 'src/routes/tickets.tsx',
  conversation: 'src/features/messages/Conversations.tsx',
} as const;
type Page = keyof typeof PAGES;

/** The pages that load a module, whatever it is imported through. */
type FirstPages = ReadonlyMap<string, ReadonlySet<Page>>;

const root = import.meta.dirname;
const nameOf = (id: string) => relative(root, id).split(sep).join('/');

/**
 * Builds once without writing, to learn which modules each first page loads. The graph of imports
 * alone does not tell: a library's index imports all of it, and most is left out of the build.
 */
async function firstPages(
  { resolve, build: options }: UserConfig,
  plugins: PluginOption[],
): Promise<FirstPages> {
  const built = await build({
    configFile: false,
    root,
    plugins,
    logLevel: 'silent',
    resolve: resolve ?? {},
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: options?.rolldownOptions?.input ?? [] },
    },
  });
  if (!('output' in built)) throw new Error('One build was asked for');
  const chunks = built.output.filter((each) => each.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Map<string, Set<Page>>();
  for (const [page, root] of Object.entries(PAGES) as [Page, string][]) {
    const files = new Set(
      chunks
        .filter(({ modules }) => Object.keys(modules).some((id) => nameOf(id) === root))
        .map(({ fileName }) => fileName),
    );
    if (files.size === 0) throw new Error(`No chunk has ${root}`);
    for (const file of files) {
      const chunk = byFile.get(file);
      chunk?.imports.forEach((each) => files.add(each));
      for (const id of Object.keys(chunk?.modules ?? {}))
        found.set(id, (found.get(id) ?? new Set<Page>()).add(page));
    }
  }
  return found;
}

/**
 * The groups of a build, each with who loads its modules. What a page's own file holds stays out:
 * a group with such a module would get a further file in front.
 */
const GROUPS: [string, (asked: ReadonlySet<Page>) => boolean][] = [
  ['base', (asked) => asked.has('main') || (asked.has('login') && asked.size > 1)],
  ['login', (asked) => asked.has('login')],
  ['shell', (asked) => asked.has('layout')],
  ['inbox', (asked) => asked.has('tickets')],
  ['conversation', (asked) => asked.has('conversation')],
];
/** The list of all lazy files changes with each build, so it is in a small file of its own. */
const ownFiles = new Set<string>([
  ...Object.values(PAGES),
  'src/app/App.tsx',
  'src/app/router.tsx',
]);
const INBOX = new Set<string>([PAGES.layout, PAGES.tickets]);
const isOwnFile = (name: string) => ownFiles.has(name) || name.endsWith('.html');

/** The files of the inbox that are not in the page itself. */
function inboxFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<string>();
  const add = (file: string, into: Set<string>) => {
    if (into.has(file)) return;
    into.add(file);
    byFile.get(file)?.imports.forEach((each) => add(each, into));
  };
  const first = new Set<string>();
  for (const { fileName, facadeModuleId } of chunks) {
    const facade = facadeModuleId && nameOf(facadeModuleId);
    if (facade === 'index.html') add(fileName, first);
    else if (facade && INBOX.has(facade)) add(fileName, found);
  }
  return [...found].filter((file) => !first.has(file));
}

/** Builds what the first pages load into few files; `plugins` make modules out of the sources. */
export function fewFiles(plugins: () => PluginOption[]): Plugin {
  return {
    name: 'few-files',
    apply: 'build',
    config: async (config) => {
      const pages = await firstPages(config, plugins());
      const groups = GROUPS.map(([name, isFor], place) => ({
        name,
        // The first ones take their modules, and what these import, before the others.
        priority: GROUPS.length - place + 1,
        test: (id: string) => {
          const asked = pages.get(id);
          return asked !== undefined && isFor(asked) && !isOwnFile(nameOf(id));
        },
      }));
      const common = { name: 'common', minShareCount: 10, priority: 1 };
      const codeSplitting = { groups: [...groups, common] };
      return { build: { rolldownOptions: { output: { codeSplitting } } } };
    },
    // `theme.js` has the browser fetch them where the inbox is about to be shown.
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        bundle && html.replace(' data-inbox', ` data-inbox="${inboxFiles(bundle).join(' ')}"`),
    },
  };
}
