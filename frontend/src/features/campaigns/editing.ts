/** Which parts of a campaign can be changed, and when (rules/campaigns §2). */

import type { Campaign } from './types';

const CLOSED_BEFORE_MS = 3_600_000;

/**
 * Whether everything can be changed: the campaign is not scheduled, or its time is more than an
 * hour away.
 */
export function isEditable({ status, scheduledAt }: Campaign, now: Date): boolean {
  if (status === 'INATIVA') return true;
  if (status !== 'PROGRAMADA' || scheduledAt === null) return false;
  return Date.parse(scheduledAt) - now.getTime() > CLOSED_BEFORE_MS;
}

/**
 * Whether it can be saved: a cancelled campaign still accepts other texts; its recipients and time
 * are fixed.
 */
export const isSavable = (campaign: Campaign, now: Date): boolean =>
  campaign.status === 'CANCELADA' || isEditable(campaign, now);

export const isStartable = ({ status }: Campaign): boolean =>
  status === 'INATIVA' || status === 'PROGRAMADA';

/** Formats a moment as 'YYYY-MM-DD HH:mm:ss' in a time zone, as the server expects times. */
export function wallClock(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`;
}
