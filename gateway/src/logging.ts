import type { ILogger } from 'baileys/lib/Utils/logger.js';

type Fields = Record<string, string | number | boolean | undefined>;

/** Write one line of JSON. Never pass a message body, a key or a person's address. */
export function log(event: string, fields: Fields = {}): void {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`);
}

/** The reason of a failure in one short line: names and codes, never contents. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return code ? `${error.name} ${code}` : error.name;
}

function nothing(): void {
  // The output of libraries is dropped.
}

/** The logger for Baileys: its lines contain messages and keys, so none is written. */
export const silentLogger: ILogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

/** Silence `console`: the signal library prints whole sessions, including private keys. */
export function silenceConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const) {
    console[method] = nothing;
  }
}
