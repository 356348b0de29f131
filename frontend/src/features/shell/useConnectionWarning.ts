import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { connectionsQuery } from '@/features/connections/api';
import { useCompanyEvent } from '@/lib/socket';

const TROUBLED = new Set(['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING']);
const REEVALUATE_MS = 2000;

/** Whether a status deserves the badge of the connections entry (rules/screens §1). */
export const needsAttention = (status: string) => TROUBLED.has(status);

/** True while a connection needs attention; looked at again two seconds after a change. */
export function useConnectionWarning(enabled: boolean): boolean {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...connectionsQuery(), enabled });
  const [warned, setWarned] = useState<boolean | null>(null);
  const refetchTimer = useRef(0);

  const refetchSoon = () => {
    window.clearTimeout(refetchTimer.current);
    refetchTimer.current = window.setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: connectionsQuery().queryKey }),
      REEVALUATE_MS,
    );
  };
  useCompanyEvent('whatsapp', refetchSoon);
  useCompanyEvent('whatsappSession', refetchSoon);

  const current = data?.some(({ status }) => needsAttention(status)) ?? false;
  useEffect(() => {
    const timer = setTimeout(() => setWarned(current), REEVALUATE_MS);
    return () => clearTimeout(timer);
  }, [current]);

  return enabled && (warned ?? current);
}
