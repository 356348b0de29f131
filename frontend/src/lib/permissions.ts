import type { components } from '@/lib/api/schema';
import type { Plan, SessionUser } from '@/lib/api/types';

/** What a role may allow; the server's one table declares them (rules/accounts §2). */
export type Permission = components['schemas']['PermissionEnum'];
/** A page that a permission opens. */
export type GuardedPage = components['schemas']['PageEnum'];

/** A boolean entry of a plan, e.g. `useCampaigns`. */
export type PlanFlag = {
  [Key in keyof Plan]: Plan[Key] extends boolean ? Key : never;
}[keyof Plan];

/** Whether the user's role grants a permission. */
export const may = (user: Pick<SessionUser, 'granted'>, permission: Permission): boolean =>
  user.granted.includes(permission);

/** Whether the user's role lets them choose a contact and begin a conversation. */
export const mayBegin = (user: Pick<SessionUser, 'granted'>): boolean =>
  may(user, 'tickets:take') && may(user, 'contacts:see');

/** Whether the user's role opens a page. */
export const opens = (user: Pick<SessionUser, 'pages'>, page: GuardedPage): boolean =>
  user.pages.includes(page);

/**
 * Whether the company's plan includes a feature; the server sends every flag (rules/companies §3).
 */
export function planAllows(user: SessionUser, flag: PlanFlag): boolean {
  if (flag === 'useCampaigns') return isCampaignsEnabled(user);
  return user.company.plan[flag];
}

/**
 * Whether campaigns may be created and sent. If only the setting shows the campaign pages, the
 * server accepts nothing new (rules/campaigns §2): existing campaigns can be viewed and deleted.
 */
export const canMakeCampaigns = ({ company }: SessionUser) => company.plan.useCampaigns;

const ENABLED = ['true', 'enabled'];

/**
 * Campaigns are shown if the plan includes them or the company's setting campaignsEnabled is on.
 */
export function isCampaignsEnabled({ company }: SessionUser): boolean {
  return (
    company.plan.useCampaigns ||
    company.settings.some(({ key, value }) => key === 'campaignsEnabled' && ENABLED.includes(value))
  );
}
