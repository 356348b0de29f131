import type { TFunction } from 'i18next';
import { i18n } from '@/i18n';
import { formatCount, formatDateTime } from '@/lib/format';
import type { Alert, Connection } from './types';

type Words = TFunction<'connections'>;

/** The server's value for no limit. */
const NO_LIMIT = -1;

const TONES = { GREEN: 'live', YELLOW: 'waiting', RED: 'danger' } as const;

export const qualityTone = (rating: Connection['qualityRating']) =>
  rating && rating !== 'UNKNOWN' ? TONES[rating] : ('neutral' as const);

/** How many contacts a number may write to first in a day. */
export function limitWords(limit: number | null, t: Words): string {
  if (limit === null) return t('connections:health.unknown');
  if (limit === NO_LIMIT) return t('connections:health.noLimit');
  return t('connections:health.people', { people: formatCount(limit) });
}

/** The roles of a number among its responders; a role without words here as Meta names it. */
export function rolesWords(roles: string[] | null, t: Words): string {
  if (!roles?.length) return t('connections:health.unknown');
  const words = (role: string) =>
    i18n.exists(`connections:roles.${role}`) ? i18n.t(`connections:roles.${role}`) : role;
  return roles.map(words).join(', ');
}

/** The text of an alert from Meta, and its end: translated if there is a translation. */
export function alertWords({ kind, text, until }: Alert, t: Words): string {
  const words = i18n.exists(`connections:alerts.${kind}`)
    ? i18n.t(`connections:alerts.${kind}`, { text: text || '–' })
    : text || t('connections:alerts.other', { kind });
  return until ? `${words} ${t('connections:until', { time: formatDateTime(until) })}` : words;
}
