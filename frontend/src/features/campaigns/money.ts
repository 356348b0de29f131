import { i18n } from '@/i18n';

/** 'R$ 1.234,50' of a decimal text; the amount alone where the currency has no known code. */
export function money(amount: string, currency: string): string {
  const value = Number(amount);
  const options = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  try {
    return new Intl.NumberFormat('pt-BR', { style: 'currency', currency, ...options }).format(
      value,
    );
  } catch {
    return new Intl.NumberFormat('pt-BR', options).format(value);
  }
}

/** A country by its code, in the reader's language; the code where it is none. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([i18n.language], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
