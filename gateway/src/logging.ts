import type { ILogger } from 'baileys/lib/Utils/logger.js';

type Fields = Record<string, string | number | boolean | undefined>;

/** Write one line of JSON. Never give it a body, a key or an address of a person. */
export function log(event: string, fields: Fields = {}): void {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`);
}

/** What went wrong in one short word or line: names and codes, never contents. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return code ? `${error.name} ${code}` : error.name;
}

function nothing(): void {
  // Libraries have nothing to say here.
}

/** Baileys' logger: its lines hold messages and keys, so none is written. */
export const silentLogger: ILogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

/** The signal library prints whole sessions, private keys among them, with `console`. */
export function silenceConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const) {
    console[method] = nothing;
  }
}
