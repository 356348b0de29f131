import type { TFunction } from 'i18next';
import { i18n } from '@/i18n';
import { formatDateTime } from '@/lib/format';
import type { Alert } from './types';

type Words = TFunction<'connections'>;

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
