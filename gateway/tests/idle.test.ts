import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const IMPORT = /^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm;

/** What a module brings in as it is loaded, and what that brings in. */
function loaded(path: string, found = new Set<string>()): Set<string> {
  const url = new URL(`../src/${path}`, import.meta.url);
  for (const [, name = ''] of readFileSync(url, 'utf8').matchAll(IMPORT)) {
    if (found.has(name)) continue;
    found.add(name);
    if (name.startsWith('./')) loaded(name.replace('.js', '.ts'), found);
  }
  return found;
}

test('a gateway without a session does not load Baileys', () => {
  expect(loaded('session.ts')).toContain('baileys');
  const atStart = loaded('main.ts');
  expect(atStart).toContain('./leases.js');
  expect(atStart).not.toContain('baileys');
});
