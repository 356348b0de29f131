/** Query keys of invoices. */
export const billingKeys = {
  all: ['billing'] as const,
  pages: ['billing', 'pages'] as const,
  checkout: ['billing', 'checkout'] as const,
  invoice: (id: number) => ['billing', 'invoice', id] as const,
};
