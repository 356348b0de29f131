import { i18n } from '@/i18n';

/** Formats a decimal string as 'R$ 1.234,50'; only the amount if the currency code is unknown. */
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

/** The name of a country in the user's language; the code itself if it is unknown. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([i18n.language], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
