import type { Json } from './contract.js';

/** A lone surrogate as `JSON.stringify` escapes it; it does not escape valid pairs. */
const LONE = /\\ud[89a-f][0-9a-f]{2}/;

/** JSON that every parser accepts: lone surrogates, which UTF-8 cannot encode, are replaced. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!LONE.test(text)) return text;
  return JSON.stringify(wellFormed(JSON.parse(text) as Json));
}

function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name.toWellFormed(),
    wellFormed(part ?? null),
  ]);
  return Object.fromEntries(parts) as Json;
}
