import { chakra } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import { unsignedBody } from './composer/signing';
import { captionOf, captionWords } from './kinds';
import { useAuthor } from './Quote';
import type { Message } from './types';
import { useZoom } from './useZoom';

interface ImageViewerProps {
  /** Pictures and videos, oldest first. */
  images: readonly Message[];
  currentId: number;
  onChange: (messageId: number) => void;
  onClose: () => void;
}

const buttonStyle = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  w: '11',
  h: '11',
  flexShrink: '0',
  borderRadius: 'full',
  color: 'white',
  cursor: 'pointer',
  _hover: { bg: 'white/15' },
  _focusVisible: { outline: '2px solid white', outlineOffset: '-2px' },
  _disabled: { opacity: 0.4, cursor: 'default' },
} as const;

interface ViewerButtonProps {
  label: string;
  icon: ReactNode;
  disabled?: boolean;
  onClick: () => void;
}

function ViewerButton({ label, icon, ...props }: ViewerButtonProps) {
  return (
    <chakra.button {...buttonStyle} type="button" aria-label={label} title={label} {...props}>
      {icon}
    </chakra.button>
  );
}

/** Shows one picture or video in full screen: arrow keys move to the others, Escape closes. */
export function ImageViewer({ images, currentId, onChange, onClose }: ImageViewerProps) {
  const { t } = useTranslation(['messages', 'conversation', 'common']);
  const dialog = useRef<HTMLDialogElement>(null);
  const authorOf = useAuthor();
  const index = images.findIndex(({ id }) => id === currentId);
  const shown = images[index];
  const before = images[index - 1];
  const after = images[index + 1];

  // A native modal dialog traps and restores the focus, but would focus a button first.
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.focus();
    return () => element?.close();
  }, []);

  const go = (direction: -1 | 1) => {
    const next = direction < 0 ? before : after;
    if (next) onChange(next.id);
  };
  const isVideo = shown?.mediaType === 'video';
  if (!shown?.mediaUrl) return null;
  const name = shown.mediaName || t(isVideo ? 'kinds.video' : 'kinds.image');
  return (
    <chakra.dialog
      ref={dialog}
      tabIndex={-1}
      outline="none"
      aria-label={t(isVideo ? 'conversation:media.film' : 'media.viewer')}
      onClose={onClose}
      w="100dvw"
      h="100dvh"
      maxW="none"
      maxH="none"
      m="0"
      p="0"
      color="white"
      css={{ background: 'rgb(8 12 13 / 96%)', '&[open]': { display: 'flex' } }}
      flexDirection="column"
      animation="fade-in 160ms ease-out"
    >
      <Stage
        // The key resets the zoom for another picture.
        key={shown.id}
        shown={shown}
        name={name}
        heading={
          <chakra.div flex="1" minW="0">
            <chakra.div fontWeight="semibold" truncate>
              {authorOf(shown)}
            </chakra.div>
            <chakra.div textStyle="xs" color="white/75" fontVariantNumeric="tabular-nums">
              {formatDateTime(shown.createdAt)}
              {images.length > 1 && ` · ${index + 1}/${images.length}`}
            </chakra.div>
          </chakra.div>
        }
        onClose={onClose}
        onBefore={before && (() => go(-1))}
        onAfter={after && (() => go(1))}
      />
      <chakra.p
        px="6"
        py="4"
        textAlign="center"
        maxH="24"
        flexShrink="0"
        overflowY="auto"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {captionOf({ ...shown, body: unsignedBody(shown) })}
      </chakra.p>
    </chakra.dialog>
  );
}

interface StageProps {
  shown: Message;
  name: string;
  heading: ReactNode;
  onClose: () => void;
  onBefore: (() => void) | undefined;
  onAfter: (() => void) | undefined;
}

function Stage({ shown, name, heading, onClose, onBefore, onAfter }: StageProps) {
  const { t } = useTranslation(['messages', 'conversation', 'common']);
  const isVideo = shown.mediaType === 'video';
  const { frame, ...zoom } = useZoom((direction) => (direction < 0 ? onBefore : onAfter)?.());
  const isWhole = zoom.scale === 1;
  const media = { w: 'full', h: 'full', objectFit: 'contain' } as const;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The controls of a focused video use the arrow keys.
    if (isVideo && event.target instanceof HTMLVideoElement) return;
    if (!isVideo && zoom.onKey(event.key)) event.preventDefault();
    else if (event.key === 'ArrowLeft') onBefore?.();
    else if (event.key === 'ArrowRight') onAfter?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  return (
    <>
      <chakra.div display="flex" alignItems="center" gap="1" px="4" py="2" flexShrink="0">
        {heading}
        {!isVideo && (
          <>
            <ViewerButton
              label={t('conversation:media.zoomOut')}
              icon={<ZoomOut size={20} aria-hidden />}
              disabled={isWhole}
              onClick={zoom.zoomOut}
            />
            <ViewerButton
              label={t('conversation:media.zoomIn')}
              icon={<ZoomIn size={20} aria-hidden />}
              onClick={zoom.zoomIn}
            />
          </>
        )}
        <chakra.a
          {...buttonStyle}
          href={shown.mediaUrl ?? undefined}
          download={name}
          aria-label={t('media.download', { name })}
          title={t('media.download', { name })}
        >
          <Download size={20} aria-hidden />
        </chakra.a>
        <ViewerButton
          label={t('common:actions.close')}
          icon={<X size={20} aria-hidden />}
          onClick={onClose}
        />
      </chakra.div>
      <chakra.div
        flex="1"
        minH="0"
        position="relative"
        onClick={(event) => {
          if (event.target === event.currentTarget) onClose();
        }}
      >
        <chakra.div
          ref={frame}
          h="full"
          mx={{ base: '0', sm: '16' }}
          overflow="hidden"
          {...(!isVideo && zoom.handlers)}
        >
          {isVideo ? (
            <chakra.video
              {...media}
              src={shown.mediaUrl ?? undefined}
              controls
              autoPlay
              playsInline
              aria-label={captionWords(shown) || name}
            />
          ) : (
            <chakra.img
              {...media}
              src={shown.mediaUrl ?? undefined}
              alt={captionWords(shown) || name}
              draggable={false}
              data-scale={zoom.scale}
              style={zoom.style}
              css={{ '@media (prefers-reduced-motion: reduce)': { transition: 'none !important' } }}
            />
          )}
        </chakra.div>
        {onBefore && (
          <chakra.div position="absolute" insetStart="2" top="calc(50% - 22px)">
            <ViewerButton
              label={t('media.previous')}
              icon={<ChevronLeft size={20} aria-hidden />}
              onClick={onBefore}
            />
          </chakra.div>
        )}
        {onAfter && (
          <chakra.div position="absolute" insetEnd="2" top="calc(50% - 22px)">
            <ViewerButton
              label={t('media.next')}
              icon={<ChevronRight size={20} aria-hidden />}
              onClick={onAfter}
            />
          </chakra.div>
        )}
      </chakra.div>
    </>
  );
}
