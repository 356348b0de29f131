import { useTranslation } from 'react-i18next';
import { plainText } from '@/lib/markup';
import { unsignedBody } from './composer/signing';
import { captionOf, KIND_ICONS } from './kinds';
import { parseCards, parseLocation } from './parse';
import type { QuotedMessage } from './types';

/** Summarises a message in one line, for quotes and announcements. */
export function useSummary(): (message: QuotedMessage) => string {
  const { t } = useTranslation('messages');
  return (message) => {
    if (message.isDeleted) return t('deleted');
    const { mediaType } = message;
    const body = unsignedBody(message);
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
        return plainText(captionOf({ ...message, body })) || t(`kinds.${mediaType}`);
      default:
        if (body && body !== 'unknown') return plainText(body);
        return t(mediaType in KIND_ICONS ? `kinds.${mediaType}` : 'kinds.unknown');
    }
  };
}
