/** The moments that are offered for putting a ticket aside. */

const MORNING = 9;
const MONDAY = 1;

export interface Preset {
  id: 'tomorrow' | 'weekday' | 'week';
  at: Date;
}

function morningIn(days: number, now: Date): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(MORNING, 0, 0, 0);
  return at;
}

/** Tomorrow, the day after it by its name, and the next Monday, each at nine; each day once. */
export function presetsFor(now: Date): Preset[] {
  const toMonday = (MONDAY - now.getDay() + 7) % 7 || 7;
  const days: [Preset['id'], number][] = [
    ['tomorrow', 1],
    ['weekday', 2],
    ['week', toMonday],
  ];
  return days
    .filter(([, day], place) => days.findIndex(([, other]) => other === day) === place)
    .map(([id, day]) => ({ id, at: morningIn(day, now) }));
}
