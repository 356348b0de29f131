import { chakra } from '@chakra-ui/react';
import { Ban, Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BubbleMeta, BubbleMetaSpace } from '@/components/BubbleMeta';
import { formatDateTime, formatTime } from '@/lib/format';
import { isUtilityText } from './parse';
import type { Message } from './types';

const TICKS = {
  waiting: { Icon: Clock, read: false },
  sent: { Icon: Check, read: false },
  server: { Icon: CheckCheck, read: false },
  delivered: { Icon: CheckCheck, read: false },
  read: { Icon: CheckCheck, read: true },
  failed: { Icon: CircleAlert, read: false },
} as const;

/** The status of a sent message as a tick name (rules/messages §2; two ticks from 2 on). */
export function tickOf(ack: number): keyof typeof TICKS {
  if (ack < 0) return 'failed';
  if (ack === 0) return 'waiting';
  if (ack === 1) return 'sent';
  if (ack === 2) return 'server';
  return ack === 3 ? 'delivered' : 'read';
}

/** Always 16 px wide, so that the bubble does not move when the tick changes. */
function Tick({ ack }: { ack: number }) {
  const { t } = useTranslation('messages');
  const tick = tickOf(ack);
  const { Icon, read } = TICKS[tick];
  const label = t(`ticks.${tick}`);
  return (
    <chakra.span
      role="img"
      aria-label={label}
      title={label}
      display="inline-flex"
      {...(read && { color: 'tick.read' })}
    >
      <Icon size={16} />
    </chakra.span>
  );
}

type MetaMessage = Pick<
  Message,
  'createdAt' | 'fromMe' | 'ack' | 'isEdited' | 'isDeleted' | 'dataJson'
>;

function MetaContent({ message, hidden }: { message: MetaMessage; hidden?: boolean }) {
  const { t } = useTranslation('messages');
  const failed = message.fromMe && message.ack < 0;
  return (
    <>
      {message.isEdited && !message.isDeleted && <span>{t('edited')}</span>}
      {message.fromMe && !message.isDeleted && isUtilityText(message.dataJson) && (
        <span title={hidden ? undefined : t('utility.sentAs')}>
          <span aria-hidden>{t('utility.mark')}</span>
          {!hidden && <chakra.span srOnly>{t('utility.sentAs')}</chakra.span>}
        </span>
      )}
      <time
        dateTime={message.createdAt}
        title={hidden ? undefined : formatDateTime(message.createdAt)}
      >
        {formatTime(message.createdAt)}
      </time>
      {message.fromMe && !failed && (hidden ? <chakra.span w="4" /> : <Tick ack={message.ack} />)}
    </>
  );
}

const metaColour = ({ fromMe, ack }: MetaMessage) =>
  fromMe ? (ack < 0 ? 'status.danger.fg' : 'bubble.out.meta') : 'fg.muted';

/** Time and tick at the end of the last line; the text before it ends with a `MetaSpace`. */
export function Meta({ message, inset = true }: { message: MetaMessage; inset?: boolean }) {
  return (
    <BubbleMeta color={metaColour(message)} inset={inset}>
      <MetaContent message={message} />
    </BubbleMeta>
  );
}

/** The space that `Meta` takes, appended to a text as its last word. */
export function MetaSpace({ message }: { message: MetaMessage }) {
  return (
    <BubbleMetaSpace>
      <MetaContent message={message} hidden />
    </BubbleMetaSpace>
  );
}

/** Time and tick on a line of their own, for content that does not end with text. */
export function MetaLine({ message }: { message: MetaMessage }) {
  return (
    <chakra.div display="flex" justifyContent="flex-end" mt="1" px="1.5" pb="0.5">
      <Meta message={message} inset={false} />
    </chakra.div>
  );
}

/** A text in place of content that cannot be shown. */
export function NoContentText({ children }: { children: ReactNode }) {
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5" fontStyle="italic">
      <chakra.span flexShrink="0" display="flex">
        <Ban size={16} aria-hidden />
      </chakra.span>
      {children}
    </chakra.span>
  );
}
