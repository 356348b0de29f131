import type { Plan, SessionUser } from '@/lib/api/types';

/** A yes-or-no entry of a plan, `useCampaigns` for one. */
export type PlanFlag = {
  [Key in keyof Plan]: Plan[Key] extends boolean ? Key : never;
}[keyof Plan];

/** Whether the server's table grants an 'area:action', such as 'tickets-manager:showall'. */
export function can(user: Pick<SessionUser, 'permissions'> | null, permission: string): boolean {
  return user?.permissions.includes(permission) ?? false;
}

/** Whether the company's plan holds a feature; the server tells every flag (rules/companies §3). */
export function planAllows(user: SessionUser, flag: PlanFlag): boolean {
  if (flag === 'useCampaigns') return isCampaignsEnabled(user);
  return user.company.plan[flag];
}

/**
 * Whether campaigns may be made and sent. Where the setting alone shows their pages, the server
 * takes nothing new (rules/campaigns §2): what there is may be looked at and cleared away.
 */
export const canMakeCampaigns = ({ company }: SessionUser) => company.plan.useCampaigns;

const ENABLED = ['true', 'enabled'];

/** Campaigns are shown with the plan or with the company's campaignsEnabled setting. */
export function isCampaignsEnabled({ company }: SessionUser): boolean {
  return (
    company.plan.useCampaigns ||
    company.settings.some(({ key, value }) => key === 'campaignsEnabled' && ENABLED.includes(value))
  );
}
