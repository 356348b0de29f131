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
import type { QuotedMessage } from './types';

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
