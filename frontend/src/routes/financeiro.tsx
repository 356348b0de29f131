export { InvoicesTable as Component } from '@/features/billing/InvoicesTable';
