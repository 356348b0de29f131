import { expect, test } from 'vitest';
import {
  avatarHue,
  daysUntil,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDay,
  formatDuration,
  formatLastMessageTime,
  formatPhone,
  hasNumber,
  inReais,
  initials,
} from './format';

const noon = new Date(2025, 10, 18, 12, 0);

test('dates are DD/MM/YYYY and times HH:mm', () => {
  expect(formatDateTime(new Date(2025, 2, 5, 9, 7))).toBe('05/03/2025 09:07');
});

test('a row shows the time today and the date before', () => {
  expect(formatLastMessageTime(new Date(2025, 10, 18, 0, 5), noon)).toBe('00:05');
  expect(formatLastMessageTime(new Date(2025, 10, 17, 23, 59), noon)).toBe('17/11/2025');
});

test('a calendar day does not shift with the zone', () => {
  expect(formatDay('2025-12-14T00:00:00.000Z')).toBe('14/12/2025');
});

test('days left count calendar days', () => {
  expect(daysUntil('2025-11-18', noon)).toBe(0);
  expect(daysUntil('2025-11-22T00:00:00Z', noon)).toBe(4);
  expect(daysUntil('2025-11-17', noon)).toBe(-1);
});

test('phones of Brazil are grouped, others keep their digits', () => {
  expect(formatPhone('5511984321107')).toBe('+55 11 98432-1107');
  expect(formatPhone('551133224455')).toBe('+55 11 3322-4455');
  expect(formatPhone('351912345678')).toBe('+351912345678');
  expect(formatPhone('120363041234567890@g.us')).toBe('120363041234567890@g.us');
  // A LID or a user id is not a phone number, however many digits it has.
  expect(formatPhone('99887766554433@lid')).toBe('99887766554433');
  expect(formatPhone('BR.13491208655302@lid')).toBe('BR.13491208655302');
  expect(['5511984321107', '99887766554433@lid', ''].map(hasNumber)).toEqual([true, false, false]);
});

test('money is written in reais', () => {
  expect(inReais(1234.5).replace(/\s/u, ' ')).toBe('R$ 1.234,50');
});

test('counts, sizes and durations', () => {
  expect(formatCount(9999)).toBe('9.999');
  expect([formatBytes(214_300), formatBytes(3_240_000)]).toEqual(['214 kB', '3,2 MB']);
  expect(formatBytes(1_440_000_000)).toBe('1,4 GB');
  expect([formatDuration(41), formatDuration(3725)]).toEqual(['0:41', '1:02:05']);
});

test('initials come from the first and the last word that has a letter', () => {
  expect(initials('Ana Beatriz Figueiredo')).toBe('AF');
  expect(initials('Ateliê da Zezé 🌵')).toBe('AZ');
  expect(initials('Zé')).toBe('Z');
  expect(initials('+55 31 99120-4478')).toBe('');
});

test('a name keeps its hue', () => {
  expect(avatarHue('Mariana Albuquerque')).toBe(avatarHue('Mariana Albuquerque'));
  expect(new Set(['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Gil'].map(avatarHue)).size).toBeGreaterThan(
    2,
  );
});
