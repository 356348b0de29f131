import { chakra } from '@chakra-ui/react';
import { CircleAlert, ImageOff, Play, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { MetaLine } from '../BubbleTime';
import { captionOf, captionWords } from '../kinds';
import { removeItem, type OutboxItem } from '../outbox';
import type { Message } from '../types';
import { Text } from './Text';

/** Pictures and videos have this size from the start, so that nothing moves when they load. */
const BOX_WIDTH = '264px';
const BOX_RATIO = '4 / 3';

const Box = chakra('div', {
  base: {
    position: 'relative',
    w: BOX_WIDTH,
    maxW: 'full',
    aspectRatio: BOX_RATIO,
    borderRadius: 'md',
    overflow: 'hidden',
    bg: 'brand.fg/8',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    color: 'fg.muted',
  },
});

const fill = { w: 'full', h: 'full', objectFit: 'cover' } as const;

/** The placeholder of a file that is still being fetched, failed, or is no longer kept. */
export function MediaState({ state }: { state: Message['mediaState'] }) {
  const { t } = useTranslation('messages');
  const failed = state === 'failed';
  if (state === 'expired')
    return (
      <chakra.span
        display="inline-flex"
        alignItems="center"
        gap="2"
        px="3"
        textStyle="sm"
        color="fg.muted"
      >
        <ImageOff size={16} aria-hidden />
        {t('media.expired')}
      </chakra.span>
    );
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="2"
      px="3"
      textStyle="sm"
      color={failed ? 'status.danger.fg' : 'fg.muted'}
    >
      {failed ? <CircleAlert size={16} aria-hidden /> : <Spinner />}
      {failed ? t('media.failed') : t('media.fetching')}
    </chakra.span>
  );
}

const RADIUS = 20;
const ROUND = 2 * Math.PI * RADIUS;

/** The progress ring of an upload, with the button that cancels it. */
function UploadRing({ item }: { item: OutboxItem }) {
  const { t } = useTranslation('messages');
  if (item.state === 'failed') return null;
  return (
    <chakra.button
      type="button"
      aria-label={t('outbox.cancel')}
      title={t('outbox.cancel')}
      onClick={() => removeItem(item.clientId)}
      position="absolute"
      inset="0"
      m="auto"
      w="12"
      h="12"
      borderRadius="full"
      bg="bg.scrim"
      color="white"
      display="flex"
      alignItems="center"
      justifyContent="center"
      cursor="pointer"
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.on', outlineOffset: '-4px' }}
    >
      <chakra.svg
        aria-hidden
        viewBox="0 0 48 48"
        position="absolute"
        inset="0"
        transform="rotate(-90deg)"
      >
        <circle
          cx="24"
          cy="24"
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray={ROUND}
          strokeDashoffset={ROUND * (1 - Math.max(item.progress, 0.04))}
          style={{ transition: 'stroke-dashoffset 160ms linear' }}
        />
      </chakra.svg>
      <X size={20} aria-hidden />
    </chakra.button>
  );
}

interface MediaProps {
  message: Message;
  item: OutboxItem | undefined;
}

const Below = ({ message }: { message: Message }) =>
  captionOf(message) ? <Text message={message} caption /> : <MetaLine message={message} />;

export function ImageContent({ message, item, onOpen }: MediaProps & { onOpen: () => void }) {
  const { t } = useTranslation('messages');
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const { mediaUrl } = message;
  return (
    <chakra.div w={BOX_WIDTH} maxW="full">
      <Box>
        {mediaUrl && mediaUrl !== brokenUrl ? (
          <chakra.button
            type="button"
            aria-label={t('media.openImage')}
            disabled={Boolean(item)}
            onClick={onOpen}
            w="full"
            h="full"
            cursor="zoom-in"
            _disabled={{ cursor: 'default' }}
            _focusVisible={{
              outline: '2px solid',
              outlineColor: 'brand.fg',
              outlineOffset: '-2px',
            }}
          >
            <chakra.img
              {...fill}
              src={mediaUrl}
              alt={captionWords(message) || t('kinds.image')}
              decoding="async"
              onError={() => setBrokenUrl(mediaUrl)}
            />
          </chakra.button>
        ) : mediaUrl ? (
          <chakra.span display="inline-flex" alignItems="center" gap="2" textStyle="sm">
            <ImageOff size={16} aria-hidden />
            {t('media.broken')}
          </chakra.span>
        ) : (
          <MediaState state={message.mediaState} />
        )}
        {item && <UploadRing item={item} />}
      </Box>
      <Below message={message} />
    </chakra.div>
  );
}

/** The first frame of a video; it plays in full screen. */
export function VideoContent({ message, item, onOpen }: MediaProps & { onOpen: () => void }) {
  const { t } = useTranslation(['messages', 'conversation']);
  return (
    <chakra.div w={BOX_WIDTH} maxW="full">
      <Box>
        {message.mediaUrl ? (
          <>
            <chakra.video
              {...fill}
              // Skips the very first frame, which is often black.
              src={`${message.mediaUrl}#t=0.1`}
              muted
              playsInline
              preload="metadata"
              aria-hidden
              tabIndex={-1}
            />
            {!item && (
              <chakra.button
                type="button"
                aria-label={t('conversation:media.play', {
                  name: captionWords(message) || t('kinds.video'),
                })}
                onClick={onOpen}
                position="absolute"
                inset="0"
                display="flex"
                alignItems="center"
                justifyContent="center"
                cursor="pointer"
                _focusVisible={{
                  outline: '2px solid',
                  outlineColor: 'brand.fg',
                  outlineOffset: '-2px',
                }}
              >
                <chakra.span
                  display="flex"
                  p="3"
                  borderRadius="full"
                  bg="bg.scrim"
                  color="white"
                  aria-hidden
                >
                  <Play size={20} fill="currentColor" />
                </chakra.span>
              </chakra.button>
            )}
          </>
        ) : (
          <MediaState state={message.mediaState} />
        )}
        {item && <UploadRing item={item} />}
      </Box>
      <Below message={message} />
    </chakra.div>
  );
}

export function StickerContent({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  return (
    <chakra.div>
      <chakra.div w="144px" h="144px" display="flex" alignItems="center" justifyContent="center">
        {message.mediaUrl ? (
          <chakra.img
            w="full"
            h="full"
            objectFit="contain"
            src={message.mediaUrl}
            alt={t('kinds.sticker')}
          />
        ) : (
          <MediaState state={message.mediaState} />
        )}
      </chakra.div>
      <MetaLine message={message} />
    </chakra.div>
  );
}
