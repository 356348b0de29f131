export { OptOutsTable as Component } from '@/features/optOuts/OptOutsTable';
