export { OptOutsTable as Component } from '@/features/campaigns/optOuts/OptOutsTable';
