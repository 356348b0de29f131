import { useEffect, useState } from 'react';

const deadline = (seconds: number) => Date.now() + seconds * 1000;

/** The remaining seconds, and a function that restarts the countdown. */
export function useCountdown(seconds: number): [number, (seconds: number) => void] {
  const [until, setUntil] = useState(() => deadline(seconds));
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  const start = (anew: number) => {
    setNow(Date.now());
    setUntil(deadline(anew));
  };
  return [left, start];
}
