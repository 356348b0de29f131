/** The amount in reais that a person typed ('1.234,50' or '1234.5') as the server reads it, or null. */
export function amountOf(text: string): string | null {
  const plain = text.trim().replace(/^R\$\s*/, '');
  const dotted = plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain;
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(dotted)) return null;
  return Number(dotted) > 0 ? Number(dotted).toFixed(2) : null;
}

/** An amount as a person types it. */
export const amountText = (amount: number) => amount.toFixed(2).replace('.', ',');
