import { lazy } from 'react';
import { SettingsPage, type SettingsTab } from '@/features/settings/SettingsPage';

/** Each tab loads when first shown. */
const ADMIN_TABS: readonly SettingsTab[] = [
  {
    value: 'deadlines',
    Panel: lazy(async () => ({
      default: (await import('@/features/desk/deadlines/DeadlinesTab')).DeadlinesTab,
    })),
  },
  {
    value: 'holidays',
    Panel: lazy(async () => ({
      default: (await import('@/features/desk/deadlines/HolidaysTab')).HolidaysTab,
    })),
  },
  {
    value: 'rules',
    Panel: lazy(async () => ({
      default: (await import('@/features/desk/rules/RulesPage')).RulesParts,
    })),
  },
  {
    value: 'archive',
    Panel: lazy(async () => ({
      default: (await import('@/features/companyArchive/ArchiveTab')).ArchiveTab,
    })),
  },
];

/** The super user's tabs. */
const SUPER_TABS: readonly SettingsTab[] = [
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
  return <SettingsPage adminTabs={ADMIN_TABS} superTabs={SUPER_TABS} />;
}
