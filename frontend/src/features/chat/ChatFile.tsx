import { chakra } from '@chakra-ui/react';
import { Download, FileText, ImageOff, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import type { FileKind } from '@/lib/files';
import { formatBytes } from '@/lib/format';

const BOX_WIDTH = '264px';

interface ChatFileProps {
  kind: FileKind;
  url: string | null;
  name: string;
  size: number;
  /** The uploaded share while the upload runs, else null. */
  progress: number | null;
  onCancel: () => void;
}

/** The file of a message, displayed if the browser can, else offered for download. */
export function ChatFile({ kind, url, name, size, progress, onCancel }: ChatFileProps) {
  const { t } = useTranslation(['chat', 'common']);
  const leaving = progress !== null && (
    <chakra.div display="flex" alignItems="center" gap="2" px="2" pt="1">
      <chakra.progress
        aria-label={t('message.sending')}
        value={progress}
        max={1}
        flex="1"
        minW="0"
        h="1"
        accentColor="brand.solid"
      />
      <IconButton
        label={t('common:actions.cancel')}
        icon={<X size={16} />}
        size="sm"
        onClick={onCancel}
      />
    </chakra.div>
  );
  return (
    <chakra.div w={BOX_WIDTH} maxW="full">
      {kind === 'image' && url ? (
        <Picture url={url} name={name} />
      ) : kind === 'video' && url ? (
        <chakra.video
          src={url}
          controls
          playsInline
          preload="metadata"
          aria-label={name}
          display="block"
          w="full"
          maxH="264px"
          borderRadius="md"
          bg="bg.scrim"
        />
      ) : kind === 'audio' && url ? (
        <chakra.audio src={url} controls preload="metadata" aria-label={name} w="full" />
      ) : (
        <Card url={url} name={name} size={size} />
      )}
      {leaving}
    </chakra.div>
  );
}

function Picture({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation('chat');
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  if (url === brokenUrl)
    return (
      <chakra.span
        role="alert"
        display="inline-flex"
        alignItems="center"
        gap="2"
        p="3"
        textStyle="sm"
        color="fg.muted"
      >
        <ImageOff size={16} aria-hidden />
        {t('message.broken')}
      </chakra.span>
    );
  return (
    <chakra.a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('message.openImage', { name })}
      display="block"
      // A fixed ratio, so that nothing moves when it loads.
      aspectRatio="4 / 3"
      borderRadius="md"
      overflow="hidden"
      bg="brand.fg/8"
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
    >
      <chakra.img
        src={url}
        alt={name}
        decoding="async"
        w="full"
        h="full"
        objectFit="cover"
        onError={() => setBrokenUrl(url)}
      />
    </chakra.a>
  );
}

function Card({ url, name, size }: { url: string | null; name: string; size: number }) {
  const { t } = useTranslation('chat');
  const inside = (
    <>
      <chakra.span display="flex" flexShrink="0" color="fg.muted">
        <FileText size={20} aria-hidden />
      </chakra.span>
      <chakra.span flex="1" minW="0">
        <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate title={name}>
          {name}
        </chakra.span>
        <chakra.span display="block" textStyle="xs" color="fg.muted">
          {formatBytes(size)}
        </chakra.span>
      </chakra.span>
      {url && (
        <chakra.span display="flex" flexShrink="0" color="fg.muted">
          <Download size={16} aria-hidden />
        </chakra.span>
      )}
    </>
  );
  const look = {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    p: '2.5',
    minW: '0',
    borderRadius: 'md',
    bg: 'brand.fg/8',
  } as const;
  if (!url) return <chakra.div {...look}>{inside}</chakra.div>;
  return (
    <chakra.a
      href={url}
      download={name}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('message.download', { name })}
      {...look}
      _hover={{ bg: 'brand.fg/15' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
    >
      {inside}
    </chakra.a>
  );
}
