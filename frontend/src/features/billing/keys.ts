/** Query keys of invoices. */
export const billingKeys = {
  all: ['billing'] as const,
  pages: ['billing', 'pages'] as const,
  plan: ['billing', 'plan'] as const,
  checkout: ['billing', 'checkout'] as const,
  invoice: (id: number) => ['billing', 'invoice', id] as const,
};
