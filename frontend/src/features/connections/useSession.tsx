import { Check, KeyRound, LoaderCircle, QrCode, RotateCw, Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '@/components/RowActions';
import { toast } from '@/lib/toast';
import { useNewCode, useStartSession } from './api';
import type { Connection } from './types';

export type SessionVerb =
  'qr' | 'retry' | 'newQr' | 'reconnect' | 'disconnect' | 'connecting' | 'connected';

const ICONS: Record<SessionVerb, React.ReactElement> = {
  qr: <QrCode size={16} />,
  retry: <RotateCw size={16} />,
  newQr: <QrCode size={16} />,
  reconnect: <KeyRound size={16} />,
  disconnect: <Unplug size={16} />,
  connecting: <LoaderCircle size={16} />,
  connected: <Check size={16} />,
};

/** Labels that show a state and do nothing. */
const SAYINGS: readonly SessionVerb[] = ['connecting', 'connected'];

/** Meta no longer accepts the token: a retry with it would fail again. */
const TOKEN_LOST: readonly string[] = ['credentials_refused', 'no_permission'];

/** The actions on a connection's session by its status (rules/connections §9). */
export function sessionVerbs({ status, provider, reasonCode }: Connection): SessionVerb[] {
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
  const busyOf = ({ id }: Connection): SessionVerb | undefined => {
    if (start.isPending && start.variables.id === id) return 'retry';
    return renew.isPending && renew.variables.id === id ? 'newQr' : undefined;
  };
  const run = (verb: SessionVerb, connection: Connection) => {
    const onError = toast.error;
    if (verb === 'qr') onCode(connection);
    if (verb === 'disconnect') onDisconnect(connection);
    if (verb === 'reconnect') onReconnect(connection);
    if (verb === 'retry') start.mutate({ id: connection.id }, { onError });
    if (verb === 'newQr')
      renew.mutate({ id: connection.id }, { onError, onSuccess: () => onCode(connection) });
  };
  return (connection: Connection): RowAction[] => {
    const busy = busyOf(connection);
    return sessionVerbs(connection).map((verb) => ({
      id: verb,
      label: t(`session.of.${verb}`, { name: connection.name }),
      words: t(`session.${verb}`),
      icon: ICONS[verb],
      disabled: SAYINGS.includes(verb) || (busy !== undefined && busy !== verb),
      loading: busy === verb,
      onSelect: () => run(verb, connection),
    }));
  };
}
