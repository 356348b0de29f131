import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { connectionsQuery, type Connection } from '@/features/connections/api';
import { useTranslation } from 'react-i18next';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';

const TROUBLED = new Set(['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING']);
const REEVALUATE_MS = 2000;
const REFETCH_MS = 1000;

/** Whether a status marks the connections entry with a warning (rules/screens §1). */
export const needsAttention = (status: string) => TROUBLED.has(status);

/**
 * Whether a connection needs attention: because of its status, or of a critical alert from Meta.
 */
const isTroubled = ({ status, alerts }: Connection) =>
  needsAttention(status) || alerts.some(({ severity }) => severity === 'critical');

/** Whether a connection needs attention. The value follows a change after two seconds. */
export function useConnectionWarning(enabled: boolean): boolean {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...connectionsQuery(), enabled });
  const [warned, setWarned] = useState(false);

  const { t } = useTranslation('shell');
  const known = useRef(new Map<number, string>());
  /**
   * Shows a toast once per alert; every later update of the connection contains the alert again.
   */
  const tellAlert = ({ id, name, alerts: [alert] }: Connection) => {
    if (!alert) return;
    const before = known.current.get(id) ?? data?.find((each) => each.id === id)?.alerts[0]?.at;
    // An older alert may become the first one when the newest is over: it was shown already.
    if (before === undefined || Date.parse(alert.at) > Date.parse(before)) {
      toast.warning(t('connectionAlert', { name }));
      known.current.set(id, alert.at);
    }
  };

  // The first event refetches at once, later ones within a second together: a restarted gateway
  // sends an event per number.
  const pause = useRef(0);
  const isMissed = useRef(false);
  useEffect(() => () => window.clearTimeout(pause.current), []);
  const refetch = () => {
    isMissed.current = pause.current !== 0;
    if (isMissed.current) return;
    void queryClient.invalidateQueries({ queryKey: connectionsQuery().queryKey });
    pause.current = window.setTimeout(() => {
      pause.current = 0;
      if (isMissed.current) refetch();
    }, REFETCH_MS);
  };
  useCompanyEvent('whatsapp', (event) => {
    if (enabled && event.action === 'update') tellAlert(event.whatsapp);
    refetch();
  });
  useCompanyEvent('whatsappSession', refetch);

  const current = data?.some(isTroubled) ?? false;
  useEffect(() => {
    const timer = setTimeout(() => setWarned(current), REEVALUATE_MS);
    return () => clearTimeout(timer);
  }, [current]);

  return enabled && warned;
}
