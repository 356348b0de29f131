import { i18n } from '@/i18n';
import { plainText, withoutSignature } from '@/lib/markup';
import type { Ticket } from './types';

/** The server's texts for messages without text; older browser versions show them as they are. */
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

/**
 * The text of the last message, or a translated text for its type; the namespace tickets must be
 * loaded.
 */
export function lastWords(ticket: Last): string {
  const { lastMessage, lastMessageFromMe, lastMessageMediaType: kind } = ticket;
  if (kind && lastMessage === SERVERS_WORDS[kind]) return i18n.t(`tickets:kinds.${kind}`);
  return plainText(lastMessageFromMe ? withoutSignature(lastMessage) : lastMessage);
}
