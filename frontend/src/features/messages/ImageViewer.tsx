import { chakra } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import type { Message } from './api';
import { captionOf } from './kinds';

interface ImageViewerProps {
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
} as const;

function ViewerButton(props: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <chakra.button
      {...buttonStyle}
      type="button"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      {props.icon}
    </chakra.button>
  );
}

/** One picture over the whole screen: arrows lead to the others, Escape back. */
export function ImageViewer({ images, currentId, onChange, onClose }: ImageViewerProps) {
  const { t } = useTranslation(['messages', 'common']);
  const dialog = useRef<HTMLDialogElement>(null);
  const index = images.findIndex(({ id }) => id === currentId);
  const image = images[index];
  const before = images[index - 1];
  const after = images[index + 1];

  // The browser's own modal dialog traps the focus and gives it back.
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  if (!image?.mediaUrl) return null;
  const name = image.mediaName || t('kinds.image');
  return (
    <chakra.dialog
      ref={dialog}
      aria-label={t('media.viewer')}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft' && before) onChange(before.id);
        if (event.key === 'ArrowRight' && after) onChange(after.id);
      }}
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
      <chakra.div display="flex" alignItems="center" gap="2" px="4" py="2">
        <chakra.div flex="1" minW="0">
          <chakra.div fontWeight="semibold" truncate>
            {image.fromMe ? (image.userName ?? t('us')) : (image.participant ?? image.contact).name}
          </chakra.div>
          <chakra.div textStyle="xs" color="white/75" fontVariantNumeric="tabular-nums">
            {formatDateTime(image.createdAt)}
          </chakra.div>
        </chakra.div>
        <chakra.a
          {...buttonStyle}
          href={image.mediaUrl}
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
        display="flex"
        alignItems="center"
        gap="2"
        px="2"
        onClick={(event) => {
          if (event.target === event.currentTarget) onClose();
        }}
      >
        {before ? (
          <ViewerButton
            label={t('media.previous')}
            icon={<ChevronLeft size={20} aria-hidden />}
            onClick={() => onChange(before.id)}
          />
        ) : (
          <chakra.span w="11" flexShrink="0" />
        )}
        <chakra.img
          src={image.mediaUrl}
          alt={captionOf(image) || name}
          flex="1"
          minW="0"
          maxW="full"
          maxH="full"
          objectFit="contain"
        />
        {after ? (
          <ViewerButton
            label={t('media.next')}
            icon={<ChevronRight size={20} aria-hidden />}
            onClick={() => onChange(after.id)}
          />
        ) : (
          <chakra.span w="11" flexShrink="0" />
        )}
      </chakra.div>
      <chakra.p
        px="6"
        py="4"
        textAlign="center"
        maxH="24"
        overflowY="auto"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {captionOf(image)}
      </chakra.p>
    </chakra.dialog>
  );
}
