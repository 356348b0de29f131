export { HelpsPage as Component } from '@/features/helps/HelpsPage';
