/** The display names of Brazil's time zones; other zones are named after their cities. */
const BRAZIL: Readonly<Record<string, string>> = {
  'America/Sao_Paulo': 'São Paulo e Brasília',
  'America/Bahia': 'Salvador',
  'America/Fortaleza': 'Fortaleza e Natal',
  'America/Recife': 'Recife',
  'America/Maceio': 'Maceió e Aracaju',
  'America/Belem': 'Belém',
  'America/Santarem': 'Santarém',
  'America/Araguaina': 'Palmas',
  'America/Campo_Grande': 'Campo Grande',
  'America/Cuiaba': 'Cuiabá',
  'America/Manaus': 'Manaus',
  'America/Porto_Velho': 'Porto Velho',
  'America/Boa_Vista': 'Boa Vista',
  'America/Rio_Branco': 'Rio Branco',
  'America/Eirunepe': 'Eirunepé',
  'America/Noronha': 'Fernando de Noronha',
};

interface Zone {
  value: string;
  label: string;
}

/** The UTC offset of a zone at a moment, for example 'GMT-3'. */
function offsetOf(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'shortOffset',
  }).formatToParts(now);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export const nameOfZone = (zone: string) =>
  BRAZIL[zone] ?? (zone.split('/').slice(1).reverse().join(', ').replaceAll('_', ' ') || zone);

const labelOf = (zone: string, now: Date) => {
  const name = nameOfZone(zone);
  try {
    return `${name} (${offsetOf(zone, now)})`;
  } catch {
    return name; // a zone that the server knows and this browser does not
  }
};

/** Brazil's zones, the most common first, then all others by name. */
export function zonesAt(now: Date, current: string): { brazil: Zone[]; world: Zone[] } {
  const toZone = (value: string) => ({ value, label: labelOf(value, now) });
  const others = new Set(Intl.supportedValuesOf('timeZone'));
  if (current) others.add(current);
  for (const zone of Object.keys(BRAZIL)) others.delete(zone);
  return {
    brazil: Object.keys(BRAZIL).map(toZone),
    world: [...others].map(toZone).sort((left, right) => left.label.localeCompare(right.label)),
  };
}
