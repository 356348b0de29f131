import { i18n } from '@/i18n';
import { plainText, withoutSignature } from '@/lib/markup';
import type { Ticket } from './types';

/** What the server says of a message without words; older browsers show it as it is. */
const SERVERS_WORDS: Record<string, string> = {
  image: 'Foto',
  sticker: 'Figurinha',
  audio: 'Áudio',
  video: 'Vídeo',
  application: 'Documento',
  vcard: 'Contato',
  locationMessage: 'Localização',
  call_log: 'Chamada',
  unknown: 'Mensagem não suportada',
};

type Last = Pick<Ticket, 'lastMessage' | 'lastMessageFromMe' | 'lastMessageMediaType'>;

/** The last message's words, or the reader's for its kind; the namespace tickets has to be there. */
export function lastWords(ticket: Last): string {
  const { lastMessage, lastMessageFromMe, lastMessageMediaType: kind } = ticket;
  if (kind && lastMessage === SERVERS_WORDS[kind]) return i18n.t(`tickets:kinds.${kind}`);
  return plainText(lastMessageFromMe ? withoutSignature(lastMessage) : lastMessage);
}
