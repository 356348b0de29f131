import { expect, test } from 'vitest';
import { faultOf, formOf, inputOf, minutesOf, newStep, spanOf, type PolicyForm } from './form';
import { POLICY } from './testData';

const form = (changes: Partial<PolicyForm> = {}): PolicyForm => ({
  ...formOf(null),
  subject: '4',
  ...changes,
});

test.each([
  [15, '15', 'minutes'],
  [120, '2', 'hours'],
  [90, '90', 'minutes'],
  [2880, '2', 'days'],
])('%i minutes are told in their largest whole unit', (minutes, count, unit) => {
  expect(spanOf(minutes)).toEqual({ count, unit });
  expect(minutesOf(spanOf(minutes))).toBe(minutes);
});

test('what is no time is none', () => {
  expect(minutesOf({ count: '', unit: 'hours' })).toBeNull();
  for (const count of ['0', '-1', '1,5', 'x', '745'])
    expect(minutesOf({ count, unit: 'hours' })).toBeNaN();
});

test('what is stored is saved as it was', () => {
  const { steps, queueId, firstAnswerMinutes } = inputOf(formOf(POLICY));
  expect({ queueId, firstAnswerMinutes }).toEqual({ queueId: 4, firstAnswerMinutes: 15 });
  expect(steps).toEqual([
    { kind: 'first_answer', when: 'quarter', action: 'tell', tells: 'holder' },
    { kind: 'first_answer', when: 'after', minutes: 30, action: 'assign', userId: null },
  ]);
});

test('a form tells what it lacks', () => {
  expect(faultOf(form())).toBeNull();
  expect(faultOf(form({ subject: '' }))).toBe('faults.queue');
  expect(faultOf(form({ scope: 'tag', subject: '' }))).toBe('faults.tag');
  const none = spanOf(null);
  const spans = { first_answer: none, next_answer: none, resolution: none };
  expect(faultOf(form({ spans }))).toBe('faults.noSpan');
  const wrong = { ...spans, resolution: { count: 'x', unit: 'hours' as const } };
  expect(faultOf(form({ spans: wrong }))).toBe('faults.span');
  const step = newStep('first_answer');
  expect(faultOf(form({ steps: [{ ...step, kind: 'resolution' }] }))).toBe('faults.kind');
  expect(faultOf(form({ steps: [{ ...step, when: 'after', minutes: '0' }] }))).toBe('faults.after');
  expect(faultOf(form({ steps: [{ ...step, action: 'tag', subject: '' }] }))).toBe(
    'faults.subject',
  );
  expect(faultOf(form({ steps: [{ ...step, action: 'queue', subject: '4' }] }))).toBe(
    'faults.sameQueue',
  );
  expect(faultOf(form({ steps: [{ ...step, action: 'assign', subject: '' }] }))).toBeNull();
});
