export { SubscriptionPage as Component } from '@/features/billing/SubscriptionPage';
