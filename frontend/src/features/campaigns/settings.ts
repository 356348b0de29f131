import { isTime } from '@/lib/hours';
import { foldText } from '@/lib/search';
import type { CampaignSetting, CampaignSettings, OwnVariable } from './types';

/** The default settings (rules/campaigns §3). */
export const DEFAULTS: CampaignSettings = {
  messageInterval: 20,
  longerIntervalAfter: 20,
  greaterInterval: 60,
  variables: [],
};

/** The offered intervals in seconds. */
export const RANDOM_INTERVALS = [0, 5, 10, 15, 20] as const;
export const INTERVALS = [0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120] as const;

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isVariable = (value: unknown): value is OwnVariable =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'value' in value &&
  typeof value.value === 'string';

/**
 * Reads the settings from their rows, whose values are JSON; uses the default if a value cannot be
 * read.
 */
export function readSettings(rows: readonly CampaignSetting[]): CampaignSettings {
  const values = new Map(rows.map(({ key, value }) => [key, read(value)]));
  const seconds = (key: 'messageInterval' | 'longerIntervalAfter' | 'greaterInterval') => {
    const value = values.get(key);
    return typeof value === 'number' ? value : DEFAULTS[key];
  };
  const variables = values.get('variables');
  return {
    messageInterval: seconds('messageInterval'),
    longerIntervalAfter: seconds('longerIntervalAfter'),
    greaterInterval: seconds('greaterInterval'),
    variables: Array.isArray(variables) ? variables.filter(isVariable) : [],
  };
}

/** The offered values, and the stored one if it is not among them. */
export const optionsWith = (offered: readonly number[], stored: number): number[] =>
  [...new Set([...offered, stored])].sort((left, right) => left - right);

/** Whether two shortcuts are equal, ignoring case and accents like the server. */
export const isSameKey = (left: string, right: string) => foldText(left) === foldText(right);

/** The hours in which campaigns send, switched on or off. */
export interface SendingHours {
  isOn: boolean;
  opens: string;
  closes: string;
}

/**
 * Reads the setting's text: '08:00-20:00', or '' for any hour, for which the suggested hours are
 * used.
 */
export function readHours(text: string): SendingHours {
  const [opens = '', closes = ''] = text.split('-');
  return text ? { isOn: true, opens, closes } : { isOn: false, opens: '08:00', closes: '20:00' };
}

export const hoursText = ({ isOn, opens, closes }: SendingHours) =>
  isOn ? `${opens}-${closes}` : '';

/** The errors of the hours by field: translation keys. */
export function hoursFaults({ isOn, opens, closes }: SendingHours): {
  opens?: string;
  closes?: string;
} {
  if (!isOn) return {};
  const faults = {
    ...(!isTime(opens) && { opens: 'common:hours.invalid' }),
    ...(!isTime(closes) && { closes: 'common:hours.invalid' }),
  };
  if (Object.keys(faults).length > 0 || opens < closes) return faults;
  return { closes: 'campaigns:errors.hoursOrder' };
}

/** The opt-out words until the company sets its own (rules/companies §2). */
export const OPT_OUT_WORDS = 'SAIR, PARAR, STOP';
const MOST_WORDS = 50;
const WORD_LENGTH = 50;

const wordsOf = (typed: string) =>
  typed
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** The words in the server's format. */
export const wordsText = (typed: string) => wordsOf(typed).join(', ');

/** The error of the words: a translation key. */
export function wordsFault(typed: string): string | undefined {
  const words = wordsOf(typed);
  const isWrong = words.length > MOST_WORDS || words.some(({ length }) => length > WORD_LENGTH);
  return isWrong ? 'campaigns:errors.optOutWords' : undefined;
}
