import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const SOURCE = path.join(import.meta.dirname, 'src');
// Each file is read once a run: what an editor says of a circle may lag behind.
const known = new Map();

function resolve(file, name) {
  const place = name.startsWith('@/')
    ? path.join(SOURCE, name.slice(2))
    : name.startsWith('.') && path.resolve(path.dirname(file), name);
  return (
    place && [`${place}.ts`, `${place}.tsx`, `${place}/index.ts`].find((each) => existsSync(each))
  );
}

/** The files of this application that a file imports, types and lazy imports among them. */
function importsOf(file) {
  let imports = known.get(file);
  if (!imports) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    imports = importedFiles.map(({ fileName }) => resolve(file, fileName)).filter(Boolean);
    known.set(file, imports);
  }
  return imports;
}

/** How imports lead from one file to another; null when they do not. */
function wayBetween(from, to) {
  const seen = new Set([from]);
  const ways = [[from]];
  for (const way of ways) {
    const last = way.at(-1);
    if (last === to) return way;
    for (const next of importsOf(last))
      if (!seen.has(next)) {
        seen.add(next);
        ways.push([...way, next]);
      }
  }
  return null;
}

/** Refuses an import that leads back to its own file, be it of a type. */
export const noCircles = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node) => {
      const target = node.source && resolve(context.filename, node.source.value);
      const way = target && wayBetween(target, context.filename);
      if (!way) return;
      const names = way.map((file) => path.relative(SOURCE, file)).join(' → ');
      context.report({ node, message: `A circle of imports: this file → ${names}.` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
