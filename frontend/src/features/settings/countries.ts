import type { Option } from '@/components/Select';
import callingCodes from './callingCodes.json';

const codes: Readonly<Record<string, number>> = callingCodes;

/** All countries with their calling codes, by name in a language. */
export function countryChoices(language: string, current: string): Option[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const regions = new Set([...Object.keys(codes), ...(current ? [current] : [])]);
  return [...regions]
    .map((region) => {
      const code = codes[region];
      const name = names.of(region) ?? region;
      return { value: region, label: code ? `${name} (+${code})` : name };
    })
    .sort((left, right) => left.label.localeCompare(right.label, language));
}
