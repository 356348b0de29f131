/** Variables in the company's texts, filled in as the server does (rules/messages §7). */

const VARIABLE = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}/gu;

/** The variables offered to authors of texts, in this order (rules/messages §7). */
export const VARIABLES = ['firstName', 'name', 'ms', 'protocol', 'hora'] as const;
type Variable = (typeof VARIABLES)[number];
export type VariableValues = Record<Variable, string>;

/**
 * The greeting for an hour of the day. Customers read it, so it is Portuguese in every language.
 */
export function greetingAt(hour: number): string {
  if (hour < 6) return 'Boa madrugada';
  if (hour < 12) return 'Bom dia';
  return hour < 18 ? 'Boa tarde' : 'Boa noite';
}

/** Formats a moment as HH:mm in a time zone; in the browser's own if it does not know the zone. */
export function clockIn(now: Date, timeZone: string): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(now);
  } catch {
    return new Intl.DateTimeFormat('en-GB', options).format(now);
  }
}

interface Subject {
  name: string;
  protocol: string;
  now: Date;
  /** The company's time zone, e.g. 'America/Sao_Paulo'. */
  timeZone: string;
}

export function variablesFor({ name, protocol, now, timeZone }: Subject): VariableValues {
  const hora = clockIn(now, timeZone);
  return {
    name,
    firstName: name.trim().split(/\s+/)[0] ?? '',
    ms: greetingAt(Number(hora.slice(0, 2))),
    protocol,
    hora,
  };
}

/** Fills in a text's variables; unknown ones become empty, and nothing is escaped. */
export const fillVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(VARIABLE, (_match, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  );
