import { chakra } from '@chakra-ui/react';
import {
  Download,
  ExternalLink,
  FileArchive,
  FileSpreadsheet,
  FileText,
  MapPin,
  PhoneMissed,
  X,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { formatBytes } from '@/lib/format';
import { reach, target } from '@/theme/screens';
import { Meta, MetaLine, MetaSpace, NoContentText } from '../BubbleTime';
import { captionOf } from '../kinds';
import { removeItem, type OutboxItem } from '../outbox';
import { parseLocation } from '../parse';
import type { Message } from '../types';
import { MediaState } from './Media';
import { Inset } from './parts';
import { Text } from './Text';

function FileIcon({ name }: { name: string }) {
  if (/\.(xlsx?|csv|ods)$/i.test(name)) return <FileSpreadsheet size={20} />;
  if (/\.(zip|rar|7z|gz)$/i.test(name)) return <FileArchive size={20} />;
  return <FileText size={20} />;
}

/** 'PDF · 214 kB'. */
function describe({ mediaName, mediaSize }: Message): string {
  const suffix = /\.([a-z0-9]{1,5})$/i.exec(mediaName)?.[1]?.toUpperCase();
  return [suffix, mediaSize === null ? undefined : formatBytes(mediaSize)]
    .filter(Boolean)
    .join(' · ');
}

export function DocumentContent({
  message,
  item,
}: {
  message: Message;
  item: OutboxItem | undefined;
}) {
  const { t } = useTranslation(['messages', 'common']);
  const name = message.mediaName || t('kinds.application');
  const sending = item !== undefined && item.state !== 'failed';
  return (
    <chakra.div w="304px" maxW="full">
      <Inset position="relative" overflow="hidden">
        <chakra.span
          display="flex"
          alignItems="center"
          justifyContent="center"
          flexShrink="0"
          w="8"
          h="9"
          borderRadius="xs"
          bg="bg.raised"
          color="status.danger.fg"
          aria-hidden
        >
          <FileIcon name={name} />
        </chakra.span>
        <chakra.div flex="1" minW="0">
          <chakra.div textStyle="sm" fontWeight="semibold" truncate title={name}>
            {name}
          </chakra.div>
          <chakra.div
            textStyle="xs"
            color={message.fromMe ? 'bubble.out.meta' : 'fg.muted'}
            fontVariantNumeric="tabular-nums"
          >
            {message.mediaUrl || item ? describe(message) : null}
            {!message.mediaUrl && !item && (
              <chakra.span ms="-3">
                <MediaState state={message.mediaState} />
              </chakra.span>
            )}
          </chakra.div>
        </chakra.div>
        {sending && (
          <IconButton
            label={t('outbox.cancel')}
            icon={<X size={20} />}
            size="sm"
            onClick={() => removeItem(item.clientId)}
          />
        )}
        {!item && message.mediaUrl && (
          <chakra.a
            href={message.mediaUrl}
            download={name}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('media.download', { name })}
            title={t('media.download', { name })}
            css={target}
            display="flex"
            alignItems="center"
            justifyContent="center"
            p="1.5"
            borderRadius="sm"
            color="brand.fg"
            _hover={{ bg: 'brand.fg/10' }}
            _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
          >
            <Download size={20} aria-hidden />
          </chakra.a>
        )}
        {sending && (
          <chakra.span
            role="progressbar"
            aria-label={t('outbox.uploading')}
            aria-valuenow={Math.round(item.progress * 100)}
            position="absolute"
            insetStart="0"
            bottom="0"
            h="3px"
            bg="brand.solid"
            style={{ width: `${item.progress * 100}%`, transition: 'width 160ms linear' }}
          />
        )}
      </Inset>
      {captionOf(message) ? <Text message={message} caption /> : <MetaLine message={message} />}
    </chakra.div>
  );
}

export function LocationContent({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  const { image, href, description } = parseLocation(message.body);
  const words = description || t('kinds.locationMessage');
  return (
    <chakra.div w="264px" maxW="full">
      {image && (
        <chakra.img
          src={image}
          alt=""
          w="full"
          h="132px"
          objectFit="cover"
          borderRadius="md"
          mb="1"
        />
      )}
      <Inset>
        <chakra.span aria-hidden display="flex" color="status.danger.fg">
          <MapPin size={20} />
        </chakra.span>
        <chakra.div flex="1" minW="0">
          <chakra.div overflowWrap="anywhere">{words}</chakra.div>
          {href && (
            <chakra.a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              css={reach}
              display="inline-flex"
              alignItems="center"
              gap="1"
              textStyle="sm"
              fontWeight="medium"
              color="brand.fg"
              _hover={{ textDecoration: 'underline' }}
            >
              {t('location.open')}
              <ExternalLink size={14} aria-hidden />
            </chakra.a>
          )}
        </chakra.div>
      </Inset>
      <MetaLine message={message} />
    </chakra.div>
  );
}

export function CallContent({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  return (
    <chakra.div>
      <chakra.span display="inline-flex" alignItems="center" gap="1.5" color="status.danger.fg">
        <PhoneMissed size={16} aria-hidden />
        {message.body || t('kinds.call_log')}
      </chakra.span>
      <MetaSpace message={message} />
      <Meta message={message} />
    </chakra.div>
  );
}

/** A text in place of unknown and deleted messages. */
export function NoContent({ message, words }: { message: Message; words: string }) {
  return (
    <chakra.div color={message.fromMe ? 'bubble.out.meta' : 'fg.muted'}>
      <NoContentText>{words}</NoContentText>
      <MetaSpace message={message} />
      <Meta message={message} />
    </chakra.div>
  );
}
