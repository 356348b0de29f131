export { SettingsPage as Component } from '@/features/settings/SettingsPage';
