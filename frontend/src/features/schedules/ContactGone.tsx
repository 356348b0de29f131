import { useEffect, useEffectEvent } from 'react';
import { toast } from '@/lib/toast';

/** The contact named in the URL cannot be loaded: shows the error once and calls `onGone`. */
export function ContactGone({ error, onGone }: { error: unknown; onGone: () => void }) {
  const forget = useEffectEvent(onGone);
  useEffect(() => {
    toast.error(error);
    forget();
  }, [error]);
  return null;
}
