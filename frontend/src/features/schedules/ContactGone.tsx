import { useEffect, useEffectEvent } from 'react';
import { toast } from '@/lib/toast';

/** The contact of an address can't be had: says so once and forgets it. */
export function ContactGone({ error, onGone }: { error: unknown; onGone: () => void }) {
  const forget = useEffectEvent(onGone);
  useEffect(() => {
    toast.error(error);
    forget();
  }, [error]);
  return null;
}
