import { Check, KeyRound, LoaderCircle, QrCode, RotateCw, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '@/components/RowActions';
import { toast } from '@/lib/toast';
import { useNewCode, useStartSession } from './api';
import type { Connection } from './types';

export type SessionVerb =
  'qr' | 'retry' | 'restart' | 'newQr' | 'reconnect' | 'disconnect' | 'connecting' | 'connected';

const ICONS: Record<SessionVerb, React.ReactElement> = {
  qr: <QrCode size={16} />,
  retry: <RotateCw size={16} />,
  restart: <RotateCw size={16} />,
  newQr: <QrCode size={16} />,
  reconnect: <KeyRound size={16} />,
  disconnect: <Unplug size={16} />,
  connecting: <LoaderCircle size={16} />,
  connected: <Check size={16} />,
};

/** Labels that show a state and do nothing. */
const SAYINGS: readonly SessionVerb[] = ['connecting', 'connected'];

/** The call that a button makes at once. */
const CALLS: Partial<Record<SessionVerb, 'start' | 'newQr'>> = {
  retry: 'start',
  restart: 'start',
  newQr: 'newQr',
};

/** Meta no longer accepts the token: a retry with it would fail again. */
const TOKEN_LOST: readonly string[] = ['credentials_refused', 'no_permission'];

/** After this time in OPENING a connection is not about to open by itself. */
const OPENING_MS = 30_000;

/** Whether a user must be offered another start: the gateway is gone, or it takes too long. */
export function isStuck({ status, reasonCode, updatedAt }: Connection, now: number): boolean {
  if (status !== 'OPENING') return false;
  return reasonCode === 'gateway_gone' || Date.parse(updatedAt) + OPENING_MS <= now;
}

/** The time, renewed when one of the connections has been opening for too long. */
export function useOpeningClock(connections: Connection[] = []): number {
  const [now, setNow] = useState(Date.now);
  const ends = connections
    .filter(({ status }) => status === 'OPENING')
    .map(({ updatedAt }) => Date.parse(updatedAt) + OPENING_MS)
    .filter((end) => end > now);
  const next = ends.length > 0 ? Math.min(...ends) : null;
  useEffect(() => {
    if (next === null) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, next - Date.now()));
    return () => clearTimeout(timer);
  }, [next]);
  return now;
}

/** The actions on a connection's session by its status (rules/connections §9). */
export function sessionVerbs(connection: Connection, now: number): SessionVerb[] {
  const { status, provider, reasonCode } = connection;
  if (isStuck(connection, now))
    return provider === 'official' ? ['restart'] : ['restart', 'disconnect'];
  if (status === 'OPENING') return ['connecting'];
  if (provider === 'official') {
    if (status === 'CONNECTED') return ['connected'];
    if (status !== 'DISCONNECTED') return [];
    return [TOKEN_LOST.includes(reasonCode) ? 'reconnect' : 'retry'];
  }
  if (status === 'qrcode') return ['qr'];
  if (status === 'DISCONNECTED') return ['retry', 'newQr'];
  return ['disconnect'];
}

interface Asked {
  /** Called if a code is available or about to come. */
  onCode: (connection: Connection) => void;
  /** Called before a phone is logged out. */
  onDisconnect: (connection: Connection) => void;
  /** Called if another token is needed. */
  onReconnect: (connection: Connection) => void;
}

/** The session buttons, for any of the company's connections. */
export function useSession({ onCode, onDisconnect, onReconnect }: Asked) {
  const { t } = useTranslation('connections');
  const start = useStartSession();
  const renew = useNewCode();
  const busyOf = ({ id }: Connection): 'start' | 'newQr' | undefined => {
    if (start.isPending && start.variables.id === id) return 'start';
    return renew.isPending && renew.variables.id === id ? 'newQr' : undefined;
  };
  const run = (verb: SessionVerb, connection: Connection) => {
    const onError = toast.error;
    if (verb === 'qr') onCode(connection);
    if (verb === 'disconnect') onDisconnect(connection);
    if (verb === 'reconnect') onReconnect(connection);
    if (verb === 'retry') start.mutate({ id: connection.id }, { onError });
    if (verb === 'restart')
      start.mutate(
        { id: connection.id },
        {
          onError,
          onSuccess: () => toast.info(t('session.restarting', { name: connection.name })),
        },
      );
    if (verb === 'newQr')
      renew.mutate({ id: connection.id }, { onError, onSuccess: () => onCode(connection) });
  };
  return (connection: Connection, now: number): RowAction[] => {
    const busy = busyOf(connection);
    return sessionVerbs(connection, now).map((verb) => ({
      id: verb,
      label: t(`session.of.${verb}`, { name: connection.name }),
      words: t(`session.${verb}`),
      icon: ICONS[verb],
      disabled: SAYINGS.includes(verb) || (busy !== undefined && busy !== CALLS[verb]),
      loading: busy !== undefined && busy === CALLS[verb],
      onSelect: () => run(verb, connection),
    }));
  };
}
