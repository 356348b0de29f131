export { SettingsPage as Component } from '@/features/campaigns/SettingsPage';
