import { useEffect, useState } from 'react';
import { untilNextMinute } from '../rules';

const MINUTE_MS = 60_000;

/** The current time, updated when the remaining minutes of a window change and when it closes. */
export function useWindowClock(closesAt: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (closesAt === null || closesAt <= now) return;
    // A conversation that was rendered in advance may be shown much later.
    const isLate = Date.now() - now > MINUTE_MS;
    // Slightly later, because timers may fire early.
    const wait = isLate ? 0 : untilNextMinute(closesAt, Date.now()) + 20;
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [closesAt, now]);
  useEffect(() => {
    // Timers of a background page or a sleeping computer fire late.
    const look = () => setNow(Date.now());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return now;
}
