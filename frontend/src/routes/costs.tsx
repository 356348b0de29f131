export { CostsPage as Component } from '@/features/costs/CostsPage';
