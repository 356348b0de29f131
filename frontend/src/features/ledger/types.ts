import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type LedgerInvoice = Schemas['LedgerInvoice'];
export type LedgerPage = Schemas['LedgerInvoicePage'];
export type LedgerDetail = Schemas['LedgerDetail'];
export type LedgerPayment = Schemas['LedgerPayment'];
