import { lazy } from 'react';
import { SettingsPage, type SuperTab } from '@/features/settings/SettingsPage';

/** What the operator keeps here, each tab loaded when it is shown. */
const SUPER_TABS: readonly SuperTab[] = [
  {
    value: 'companies',
    Panel: lazy(async () => ({
      default: (await import('@/features/companies/CompaniesTab')).CompaniesTab,
    })),
  },
  {
    value: 'plans',
    Panel: lazy(async () => ({ default: (await import('@/features/plans/PlansTab')).PlansTab })),
  },
  {
    value: 'helps',
    Panel: lazy(async () => ({ default: (await import('@/features/helps/HelpsTab')).HelpsTab })),
  },
];

export function Component() {
  return <SettingsPage superTabs={SUPER_TABS} />;
}
