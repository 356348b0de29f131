import { chakra } from '@chakra-ui/react';
import { Clock, RotateCw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Bubble } from '@/components/Bubble';
import { BubbleMeta, BubbleMetaSpace } from '@/components/BubbleMeta';
import { FailureAction, FailureLine } from '@/components/FailureLine';
import { MarkedText } from '@/components/MarkedText';
import { SenderName } from '@/components/SenderName';
import { kindOfFile, type FileKind } from '@/lib/files';
import { formatDateTime, formatTime } from '@/lib/format';
import { isOnlyEmoji } from '@/lib/markup';
import { ChatFile } from './ChatFile';
import { removeItem, resendItem, type OutboxItem } from './outbox';
import type { ChatMessage } from './types';

interface ShownFile {
  kind: FileKind;
  url: string | null;
  name: string;
  size: number;
}

interface Shown {
  text: string;
  createdAt: string;
  file: ShownFile | null;
}

const ofMessage = (message: ChatMessage): Shown => ({
  text: message.message,
  createdAt: message.createdAt,
  file: message.mediaType && {
    kind: message.mediaType,
    url: message.mediaUrl,
    name: message.mediaName ?? '',
    size: message.mediaSize ?? 0,
  },
});

const ofItem = ({ text, createdAt, file, previewUrl }: OutboxItem): Shown => ({
  text,
  createdAt,
  file: file && {
    kind: kindOfFile(file),
    url: previewUrl,
    name: file.name,
    size: file.size,
  },
});

type ChatBubbleProps = {
  isOwn: boolean;
  /** The first bubble of a group shows the tail and the name. */
  first: boolean;
  showsName: boolean;
} & ({ message: ChatMessage; item?: undefined } | { item: OutboxItem; message?: undefined });

/** A message: text, file or both; one that failed shows the reason and a retry button. */
export function ChatBubble({ message, item, isOwn, first, showsName }: ChatBubbleProps) {
  const { t } = useTranslation('chat');
  const { text, createdAt, file } = message ? ofMessage(message) : ofItem(item);
  const failed = item?.state === 'failed';
  const author = isOwn || !message ? t('message.mine') : message.sender.name;
  const bare = !file && text.length < 40 && isOnlyEmoji(text);
  const colour = isOwn ? (failed ? 'status.danger.fg' : 'bubble.out.meta') : 'fg.muted';
  const meta = (hidden: boolean) => (
    <>
      <time dateTime={createdAt} title={hidden ? undefined : formatDateTime(createdAt)}>
        {formatTime(createdAt)}
      </time>
      {item && !failed && (
        <Clock size={14} {...(!hidden && { 'aria-label': t('message.waiting') })} />
      )}
    </>
  );
  return (
    <chakra.div
      role="group"
      aria-label={author}
      display="flex"
      flexDirection="column"
      alignItems={isOwn ? 'flex-end' : 'flex-start'}
      pt={first ? '2' : '0.5'}
      minW="0"
    >
      <chakra.div maxW="min(65ch, 85%)" minW="0">
        <Bubble out={isOwn} first={first} failed={failed} tight={file !== null} bare={bare}>
          {first && showsName && !isOwn && <SenderName name={author} inset={file !== null} />}
          {file && (
            <ChatFile
              {...file}
              progress={item && !failed ? item.progress : null}
              onCancel={() => item && removeItem(item.clientId)}
            />
          )}
          {bare ? (
            <chakra.div fontSize="40px" lineHeight="52px" pb="4">
              {text.trim()}
              <BubbleMeta color="fg.muted">{meta(false)}</BubbleMeta>
            </chakra.div>
          ) : text ? (
            <chakra.div
              data-body
              textStyle="md"
              whiteSpace="pre-wrap"
              overflowWrap="anywhere"
              {...(file && { px: '2', pt: '1.5', pb: '0.5' })}
            >
              <MarkedText text={text} />
              <BubbleMetaSpace>{meta(true)}</BubbleMetaSpace>
              <BubbleMeta color={colour}>{meta(false)}</BubbleMeta>
            </chakra.div>
          ) : (
            <chakra.div display="flex" justifyContent="flex-end" mt="1" px="1.5" pb="0.5">
              <BubbleMeta color={colour} inset={false}>
                {meta(false)}
              </BubbleMeta>
            </chakra.div>
          )}
        </Bubble>
      </chakra.div>
      {item && <Failed item={item} />}
    </chakra.div>
  );
}

function Failed({ item }: { item: OutboxItem }) {
  const { t } = useTranslation('chat');
  if (item.state !== 'failed')
    return item.waits && !item.isKept ? <FailureLine words={t('message.notKept')} /> : null;
  return (
    <FailureLine words={t('message.notSentBecause', { reason: item.reason })}>
      <FailureAction type="button" onClick={() => resendItem(item.clientId)}>
        <RotateCw size={16} aria-hidden />
        {t('message.resend')}
      </FailureAction>
      <FailureAction type="button" color="fg.muted" onClick={() => removeItem(item.clientId)}>
        <Trash2 size={16} aria-hidden />
        {t('message.discard')}
      </FailureAction>
    </FailureLine>
  );
}
