import { SettingsPage, type SuperTab } from '@/features/settings/SettingsPage';

/** What the operator keeps here, each tab loaded when it is shown. */
const SUPER_TABS: readonly SuperTab[] = [];

export function Component() {
  return <SettingsPage superTabs={SUPER_TABS} />;
}
