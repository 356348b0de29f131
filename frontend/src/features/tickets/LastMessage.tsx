import { chakra } from '@chakra-ui/react';
import {
  Ban,
  Check,
  CheckCheck,
  CircleAlert,
  Clock,
  Contact,
  FileText,
  Image,
  LayoutTemplate,
  List,
  MapPin,
  Mic,
  Phone,
  Search,
  Sticker,
  Video,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatPhone } from '@/lib/format';
import { plainText, withoutSignature } from '@/lib/markup';
import { findDigits, findFolded, foldText } from '@/lib/search';
import { useCurrentUser } from '@/stores/session';
import { aroundHit, Highlight } from '@/components/Highlight';
import type { UnsentOfTicket } from '@/stores/unsent';
import { lastWords } from './lastWords';
import type { Ticket } from './types';
import { row } from './rowStyles';
import { isUnread } from './unopened';

const KIND_ICONS: Record<string, LucideIcon> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
  sticker: Sticker,
  locationMessage: MapPin,
  vcard: Contact,
  call_log: Phone,
  template: LayoutTemplate,
  interactive_list: List,
};

function Tick({ ack }: { ack: number }) {
  const { t } = useTranslation('tickets');
  const label = t(`ack.${ack < 0 ? 'error' : ack >= 4 ? 'read' : String(ack)}`);
  const Icon = ack < 0 ? CircleAlert : ack === 0 ? Clock : ack === 1 ? Check : CheckCheck;
  return (
    <span
      className={row.tick}
      data-read={ack >= 4 || undefined}
      data-failed={ack < 0 || undefined}
      role="img"
      aria-label={label}
    >
      <Icon size={16} strokeWidth={1.75} />
    </span>
  );
}

/** The last message in one or more lines: tick or icon, then the text; bold while unread. */
export function LastMessage({ ticket, lines = 1 }: { ticket: Ticket; lines?: number }) {
  const { t } = useTranslation('tickets');
  const unread = isUnread(ticket, useCurrentUser().id);
  const kind = ticket.lastMessageMediaType ?? '';
  const KindIcon = ticket.lastMessageDeleted ? Ban : KIND_ICONS[kind];
  const text = ticket.lastMessageDeleted
    ? t('row.deleted')
    : lastWords(ticket) || (KindIcon ? t([`kinds.${kind}`, `inbox:kinds.${kind}`]) : '');
  return (
    <span
      className={row.last}
      data-unread={unread || undefined}
      data-lines={lines > 1 ? lines : undefined}
    >
      {ticket.lastMessageFromMe && !ticket.lastMessageDeleted && (
        <Tick ack={ticket.lastMessageAck ?? 0} />
      )}
      {KindIcon && (
        <span className={row.kind} aria-hidden>
          <KindIcon size={16} strokeWidth={1.75} />
        </span>
      )}
      {lines > 1 ? (
        <chakra.span overflow="hidden" lineClamp={lines} overflowWrap="anywhere">
          {text}
        </chakra.span>
      ) : (
        <span className={row.cut}>{text}</span>
      )}
    </span>
  );
}

/** A message of this browser that waits for the server, or was refused. */
export function UnsentLine({ unsent: { text, isFailed } }: { unsent: UnsentOfTicket }) {
  const { t } = useTranslation('tickets');
  const Icon = isFailed ? CircleAlert : Clock;
  return (
    <span className={row.last} data-failed={isFailed || undefined}>
      <span
        className={row.kind}
        role="img"
        aria-label={t(isFailed ? 'row.notSent' : 'row.waits')}
        title={t(isFailed ? 'row.notSent' : 'row.waits')}
      >
        <Icon size={16} strokeWidth={1.75} />
      </span>
      <span className={row.cut}>{plainText(withoutSignature(text))}</span>
    </span>
  );
}

/** The beginning of what the user has typed and not sent. */
export function DraftLine({ text }: { text: string }) {
  const { t } = useTranslation('tickets');
  return (
    <span className={row.last}>
      <span className={row.draft}>{t('row.draft')}</span>
      <span className={row.cut}>{plainText(text)}</span>
    </span>
  );
}

/** In a search: the matching message, from shortly before the match. */
export function FoundMessage({ body, term }: { body: string; term: string }) {
  const { t } = useTranslation('inbox');
  const unsigned = withoutSignature(body);
  // A search for the sender's name must show the signature that contains the match.
  const words = findFolded(unsigned, foldText(term)) === null ? body : unsigned;
  return (
    <span className={row.last}>
      <span className={row.tick} role="img" aria-label={t('inbox:row.match')}>
        <Search size={14} strokeWidth={1.75} />
      </span>
      <span className={row.cut}>
        <Highlight text={aroundHit(plainText(words), term)} term={term} />
      </span>
    </span>
  );
}

/** In a search: the number or e-mail that matches. */
export function FoundNumber({ contact, term }: { contact: Ticket['contact']; term: string }) {
  const isByEmail = findFolded(contact.email, foldText(term)) !== null;
  return (
    <span className={row.last} data-digits>
      <span className={row.cut}>
        {isByEmail ? (
          <Highlight text={contact.email} term={term} />
        ) : (
          <Highlight text={formatPhone(contact.number)} term={term} find={findDigits} />
        )}
      </span>
    </span>
  );
}
