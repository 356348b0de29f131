import { useEffect, useState } from 'react';
import { untilNextMinute } from '../rules';

const MINUTE_MS = 60_000;

/** The time, again each time the minutes left of a window change and when it closes. */
export function useWindowClock(closesAt: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (closesAt === null || closesAt <= now) return;
    // What was drawn ahead may be shown much later.
    const isLate = Date.now() - now > MINUTE_MS;
    // A little later: timers may fire a moment early.
    const wait = isLate ? 0 : untilNextMinute(closesAt, Date.now()) + 20;
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [closesAt, now]);
  useEffect(() => {
    // Timers of a page in the background, or of a sleeping computer, come late.
    const look = () => setNow(Date.now());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return now;
}
