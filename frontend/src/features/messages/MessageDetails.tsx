import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { formatBytes, formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import { tickOf } from './BubbleTime';
import { useAuthor } from './Quote';
import type { Message } from './types';

/** The details of a message: sender, source, times, and delivery status. */
export function MessageDetails({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation(['conversation', 'messages']);
  const author = useAuthor()(message);
  const reason = useReason()(message, message.errorReason);
  const { fromMe, ack, source, mediaName, mediaSize } = message;
  const rows: [string, string][] = [
    [t('details.from'), author],
    [t('details.source'), t(`sources.${source}`)],
    [t('details.at'), formatDateTime(message.createdAt)],
  ];
  if (fromMe)
    rows.push([
      t('details.status'),
      ack === 5 ? t('details.played') : t(`messages:ticks.${tickOf(ack)}`),
    ]);
  if (message.isEdited || message.isDeleted)
    rows.push([
      message.isDeleted ? t('details.deleted') : t('details.edited'),
      formatDateTime(message.updatedAt),
    ]);
  if (mediaName)
    rows.push([
      t('details.file'),
      mediaSize === null ? mediaName : `${mediaName} · ${formatBytes(mediaSize)}`,
    ]);
  if (reason) rows.push([t('details.reason'), reason]);
  return (
    <Dialog open onClose={onClose} title={t('details.title')} size="sm">
      <chakra.dl display="grid" gridTemplateColumns="auto 1fr" columnGap="6" rowGap="3">
        {rows.map(([name, value]) => (
          <chakra.div key={name} display="contents">
            <chakra.dt textStyle="sm" color="fg.muted">
              {name}
            </chakra.dt>
            <chakra.dd overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
              {value}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Dialog>
  );
}
