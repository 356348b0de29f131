/** Variables in texts of ours, as the server fills them in (rules/messages §7). */

const VARIABLE = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}/gu;

/** What is offered to those who write texts, in this order (rules/messages §7). */
export const VARIABLES = ['firstName', 'name', 'ms', 'protocol', 'hora'] as const;
type Variable = (typeof VARIABLES)[number];
export type VariableValues = Record<Variable, string>;

/** The greeting of an hour of the day; customers read it, so it is Portuguese in every language. */
export function greetingAt(hour: number): string {
  if (hour < 6) return 'Boa madrugada';
  if (hour < 12) return 'Bom dia';
  return hour < 18 ? 'Boa tarde' : 'Boa noite';
}

/** HH:mm of a moment in a zone; in the browser's when the zone is not known to it. */
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
  /** The company's zone, such as 'America/Sao_Paulo'. */
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

/** The text with its variables filled in; unknown ones are empty, nothing is escaped. */
export const fillVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(VARIABLE, (_match, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  );
