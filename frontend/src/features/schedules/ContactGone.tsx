import { useEffect, useRef } from 'react';
import { toast } from '@/lib/toast';

/** The contact of an address can't be had: says so once and forgets it. */
export function ContactGone({ error, onGone }: { error: unknown; onGone: () => void }) {
  const gone = useRef(onGone);
  useEffect(() => {
    gone.current = onGone;
  });
  useEffect(() => {
    toast.error(error);
    gone.current();
  }, [error]);
  return null;
}
