import { TemplateCard } from '@/components/TemplateCard';
import { shownTemplate } from '@/lib/templates/shown';
import { Meta, MetaSpace } from '../BubbleTime';
import { parseData } from '../parse';
import type { Message } from '../types';
import { Marked } from './Text';

/** A sent template in the conversation; the file of its header is the message's media. */
export function TemplateMessage({ message }: { message: Message }) {
  const shown = shownTemplate(parseData(message.dataJson));
  const { header } = shown;
  if (header && header.kind !== 'text' && header.kind !== 'location' && message.mediaUrl) {
    shown.header = { ...header, url: message.mediaUrl, name: header.name || message.mediaName };
  }
  return (
    <TemplateCard
      template={{ ...shown, body: shown.body || message.body }}
      words={(text) => <Marked text={text} />}
      meta={<Meta message={message} />}
      metaSpace={<MetaSpace message={message} />}
    />
  );
}
