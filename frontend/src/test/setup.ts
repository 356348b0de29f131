import { cleanup, configure } from '@testing-library/react';
import type { Resource } from 'i18next';
import { afterEach } from 'vitest';
import { startI18n } from '@/i18n';

// A wait is for something; how long says nothing on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// It lays nothing out, so nothing is hidden either, and nothing changes its size.
Object.assign(Element.prototype, { checkVisibility: () => true });
Object.assign(globalThis, {
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
});

const files = import.meta.glob<Record<string, unknown>>('../i18n/*/*.json', {
  eager: true,
  import: 'default',
});

const resources: Resource = {};
for (const [path, texts] of Object.entries(files)) {
  const [, language, namespace] = /\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
  if (language && namespace) (resources[language] ??= {})[namespace] = texts;
}
await startI18n(resources);

afterEach(() => {
  cleanup();
  localStorage.clear();
});
