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
import { plainText } from '@/lib/markup';
import { unsignedBody } from './composer/signing';
import type { QuotedMessage } from './types';

/** Icons of message types other than plain text. */
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

/** The caption of a file; the bare file name is not a caption. */
export const captionOf = ({ body, mediaName }: QuotedMessage) => (body === mediaName ? '' : body);

/** The caption as plain words, without its signature: where only its sense counts. */
export const captionWords = (message: QuotedMessage) =>
  plainText(captionOf({ ...message, body: unsignedBody(message) }));
