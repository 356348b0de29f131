import {
  Contact,
  FileText,
  Image,
  LayoutTemplate,
  List,
  MapPin,
  Mic,
  PhoneMissed,
  Sticker,
  Video,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { QuotedMessage } from './api';
import { plainText } from '@/lib/markup';
import { parseCards, parseLocation } from './parse';

/** Signs of what is not plain text. */
export const KIND_ICONS: Readonly<Record<string, LucideIcon>> = {
  image: Image,
  sticker: Sticker,
  audio: Mic,
  video: Video,
  application: FileText,
  vcard: Contact,
  locationMessage: MapPin,
  interactive_list: List,
  template: LayoutTemplate,
  call_log: PhoneMissed,
};

/** What was written under a file; its bare name is none. */
export const captionOf = ({ body, mediaName }: QuotedMessage) => (body === mediaName ? '' : body);

/** A message in one line, as quotes and announcements say it. */
export function useSummary(): (message: QuotedMessage) => string {
  const { t } = useTranslation('messages');
  return (message) => {
    if (message.isDeleted) return t('deleted');
    const { mediaType, body } = message;
    switch (mediaType) {
      case 'locationMessage':
        return parseLocation(body).description || t('kinds.locationMessage');
      case 'vcard':
        return parseCards(body)[0]?.name || t('kinds.vcard');
      case 'application':
        return body || message.mediaName || t('kinds.application');
      case 'image':
      case 'sticker':
      case 'audio':
      case 'video':
        return plainText(captionOf(message)) || t(`kinds.${mediaType}`);
      default:
        if (body && body !== 'unknown') return plainText(body);
        return t(mediaType in KIND_ICONS ? `kinds.${mediaType}` : 'kinds.unknown');
    }
  };
}
