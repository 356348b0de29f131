export { RulesPage as Component } from '@/features/desk/rules/RulesPage';
