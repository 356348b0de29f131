import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { Facts } from '@/components/Facts';
import { formatBytes, formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import { tickOf } from './BubbleTime';
import { isUtilityText } from './parse';
import { useAuthor } from './Quote';
import type { Message } from './types';

/** The details of a message: sender, source, times, and delivery status. */
export function MessageDetails({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation(['conversation', 'messages']);
  const author = useAuthor()(message);
  const reason = useReason()(message, message.errorReason);
  const { fromMe, ack, source, mediaName, mediaSize } = message;
  const facts = [
    { term: t('details.from'), value: author },
    { term: t('details.source'), value: t(`sources.${source}`) },
    { term: t('details.at'), value: formatDateTime(message.createdAt) },
  ];
  if (isUtilityText(message.dataJson))
    facts.push({ term: t('details.kind'), value: t('messages:utility.sentAs') });
  if (fromMe)
    facts.push({
      term: t('details.status'),
      value: ack === 5 ? t('details.played') : t(`messages:ticks.${tickOf(ack)}`),
    });
  if (message.isEdited || message.isDeleted)
    facts.push({
      term: message.isDeleted ? t('details.deleted') : t('details.edited'),
      value: formatDateTime(message.updatedAt),
    });
  if (mediaName)
    facts.push({
      term: t('details.file'),
      value: mediaSize === null ? mediaName : `${mediaName} · ${formatBytes(mediaSize)}`,
    });
  if (reason) facts.push({ term: t('details.reason'), value: reason });
  return (
    <Dialog open onClose={onClose} title={t('details.title')} size="sm">
      <Facts beside facts={facts} />
    </Dialog>
  );
}
