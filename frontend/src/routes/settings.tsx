import { lazy } from 'react';
import { SettingsPage, type SuperTab } from '@/features/settings/SettingsPage';

/** The super user's tabs; each loads when first shown. */
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
    value: 'billing',
    Panel: lazy(async () => ({ default: (await import('@/features/ledger/LedgerTab')).LedgerTab })),
  },
  {
    value: 'helps',
    Panel: lazy(async () => ({ default: (await import('@/features/helps/HelpsTab')).HelpsTab })),
  },
];

export function Component() {
  return <SettingsPage superTabs={SUPER_TABS} />;
}
