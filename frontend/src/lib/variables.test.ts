import { expect, test } from 'vitest';
import cases from './variables.cases.json';
import { fillVariables, greetingAt, VARIABLES, variablesFor } from './variables';

test('the greeting follows the hour', () => {
  for (const [hour, greeting] of cases.greetings) expect(greetingAt(Number(hour))).toBe(greeting);
});

// The server's own tests read the same table.
test.each(cases.texts)('"$text" is filled in as the server does', (each) => {
  const values = variablesFor({
    name: each.name,
    protocol: each.protocol,
    now: new Date(each.now),
    timeZone: 'America/Sao_Paulo',
  });
  expect(fillVariables(each.text, values)).toBe(each.filled);
});

test('a zone that the browser does not know is no fault', () => {
  const now = new Date('2026-01-05T12:00:00Z');
  const { hora } = variablesFor({ name: 'Ana', protocol: '1', now, timeZone: 'Marte/Cratera' });
  expect(hora).toMatch(/^\d\d:\d\d$/);
});

test('five variables are offered', () => {
  expect(VARIABLES.map((name) => `{{${name}}}`)).toEqual([
    '{{firstName}}',
    '{{name}}',
    '{{ms}}',
    '{{protocol}}',
    '{{hora}}',
  ]);
});
