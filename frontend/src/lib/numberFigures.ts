import { i18n } from '@/i18n';
import type { components } from './api/schema';
import { formatCount } from './format';

type Rating = components['schemas']['Connection']['qualityRating'];

/** The server's value for no limit. */
const NO_LIMIT = -1;

const TONES = { GREEN: 'live', YELLOW: 'waiting', RED: 'danger' } as const;

export const qualityTone = (rating: Rating) =>
  rating && rating !== 'UNKNOWN' ? TONES[rating] : ('neutral' as const);

/** How many people the numbers of a portfolio may write to first in 24 hours, as a sentence. */
export function limitWords(limit: number | null): string {
  if (limit === null || limit === 0) return i18n.t('connections:health.unknown');
  if (limit === NO_LIMIT) return i18n.t('connections:health.noLimit');
  return i18n.t('connections:health.people', { people: formatCount(limit) });
}

/** Whether Meta has verified the business; a state without words here as Meta names it. */
export function verificationWords(verification: string): string {
  const key = `connections:verification.${verification}`;
  return i18n.exists(key) ? i18n.t(key) : verification || i18n.t('connections:health.unknown');
}
