import { expect, test } from 'vitest';
import { DOES, FIELD_GROUPS, FIELDS, LEAVES, WHENS } from './catalogue';
import {
  actionOf,
  actionsFault,
  checkOf,
  faultOf,
  formOf,
  macroForm,
  ruleInput,
  triggerOf,
} from './form';
import { RULE } from './testData';
import type { Do } from './types';

test('a stored rule comes back as it was', () => {
  const { name, isOn, trigger, condition, actions } = RULE;
  expect(ruleInput(formOf(RULE))).toEqual({ name, isOn, trigger, condition, actions });
  expect(faultOf(formOf(RULE))).toBeNull();
});

test('a single check becomes a group, and empty groups are left out', () => {
  const check = checkOf('queue');
  const form = formOf({ ...RULE, condition: { not: { ...check, values: [4] } } });
  expect(form.condition).toEqual({ all: [{ not: { ...check, values: [4] } }] });
  expect(ruleInput({ ...form, condition: { all: [{ any: [] }] } }).condition).toBeNull();
  expect(ruleInput(formOf({ ...RULE, condition: null })).condition).toBeNull();
});

test('blank lines among the texts of a check are left out', () => {
  const check = { ...checkOf('message'), values: ['boleto', '', '  '] };
  const form = formOf({ ...RULE, condition: { any: [check, { not: check }] } });
  const kept = { ...check, values: ['boleto'] };
  expect(ruleInput(form).condition).toEqual({ any: [kept, { not: kept }] });
});

test('what the product has switched off is on once it is mended', () => {
  expect(formOf({ ...RULE, isOn: false }).isOn).toBe(false);
  expect(formOf({ ...RULE, isOn: false, problem: 'A fila foi excluída.' }).isOn).toBe(true);
});

test('what a rule lacks is named', () => {
  const form = formOf(null);
  expect(faultOf(form)).toBeNull();
  expect(faultOf({ ...form, condition: { all: [checkOf('queue')] } })).toBe('faults.check');
  expect(faultOf({ ...form, condition: { all: [{ not: { any: [checkOf('tag')] } }] } })).toBe(
    'faults.check',
  );
  expect(faultOf({ ...form, condition: { all: [checkOf('contactField')] } })).toBe(
    'faults.contactField',
  );
  expect(faultOf({ ...form, condition: { all: [checkOf('hour')] } })).toBeNull();
  expect(faultOf({ ...form, actions: [] })).toBe('faults.actions');
});

test.each<[Do, string | null]>([
  ['add_tag', 'faults.tag'],
  ['queue', 'faults.queue'],
  ['send_quick', 'faults.quick'],
  ['send_text', 'faults.text'],
  ['note', 'faults.text'],
  ['send_template', 'faults.template'],
  ['contact_field', 'faults.contactField'],
  ['person', null],
  ['tell', null],
  ['snooze', null],
  ['webhook', null],
  ['resolve', null],
  ['priority', null],
])('%s begins with %s', (what, fault) => {
  expect(actionsFault([actionOf(what)])).toBe(fault);
});

test('every trigger, action and field is offered once', () => {
  const whens = WHENS.flatMap((group) => group.whens);
  expect(new Set(whens).size).toBe(whens.length);
  for (const when of whens) expect(triggerOf(when).when).toBe(when);
  const does = DOES.flatMap((group) => group.does);
  expect(new Set(does).size).toBe(does.length);
  expect(does).toEqual(expect.arrayContaining([...LEAVES]));
  expect(FIELD_GROUPS.flatMap((group) => group.fields).toSorted()).toEqual(
    Object.keys(FIELDS).toSorted(),
  );
});

test('an admin’s first macro is the company’s', () => {
  expect(macroForm(null, true).isShared).toBe(true);
  expect(macroForm(null, false).isShared).toBe(false);
});
