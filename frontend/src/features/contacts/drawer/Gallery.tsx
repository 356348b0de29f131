import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AudioLines, Download, FileText, Images, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { Segmented } from '@/components/Tabs';
import { formatBytes, formatDate } from '@/lib/format';
import { galleryQuery } from './api';
import { AudioRow } from './AudioRow';
import { galleryOf } from './fold';
import { byMonth } from './months';
import { PagedScroller } from './PagedScroller';
import type { GalleryMessage, GalleryTab } from './types';

interface GalleryProps {
  contactId: number;
  /** Opens one of the pictures and videos in full screen; `images` is sorted oldest first. */
  onOpenImage: (images: readonly GalleryMessage[], messageId: number) => void;
}

const ICONS: Record<GalleryTab, ReactNode> = {
  media: <Images size={20} />,
  files: <FileText size={20} />,
  audio: <AudioLines size={20} />,
};

const fromOf = (message: GalleryMessage) =>
  message.fromMe ? message.userName : (message.participant ?? message.contact).name;

/** All files of the contact that the user may open, in three tabs. */
export function Gallery({ contactId, onOpenImage }: GalleryProps) {
  const { t } = useTranslation('contactDrawer');
  const [tab, setTab] = useState<GalleryTab>('media');
  return (
    <chakra.div display="flex" flexDirection="column" flex="1" minH="0">
      <chakra.div display="flex" px="5" py="3">
        <Segmented
          aria-label={t('gallery.label')}
          value={tab}
          onChange={setTab}
          tabs={(['media', 'files', 'audio'] as const).map((value) => ({
            value,
            label: t(`gallery.${value}`),
          }))}
        />
      </chakra.div>
      <Contents key={tab} contactId={contactId} tab={tab} onOpenImage={onOpenImage} />
    </chakra.div>
  );
}

function Contents({ contactId, tab, onOpenImage }: GalleryProps & { tab: GalleryTab }) {
  const { t, i18n } = useTranslation('contactDrawer');
  const query = useInfiniteQuery(galleryQuery(contactId, tab));
  if (query.error && !query.data)
    return (
      <ErrorState
        title={t('gallery.failed')}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (!query.data) return <GallerySkeleton tab={tab} />;
  const messages = galleryOf(query.data);
  if (messages.length === 0)
    return (
      <EmptyState
        icon={ICONS[tab]}
        title={t(`gallery.empty.${tab}`)}
        text={t('gallery.emptyText')}
      />
    );
  if (tab !== 'media')
    return (
      <PagedScroller query={query}>
        <chakra.ul aria-label={t(`gallery.${tab}`)} listStyleType="none" pb="3">
          {messages.map((message) => (
            <chakra.li key={message.id}>
              {tab === 'audio' ? (
                <AudioRow message={message} from={fromOf(message) ?? t('gallery.us')} />
              ) : (
                <File message={message} />
              )}
            </chakra.li>
          ))}
        </chakra.ul>
      </PagedScroller>
    );
  const oldestFirst = messages.toReversed();
  return (
    <PagedScroller query={query}>
      {byMonth(messages, i18n.language).map(([month, found]) => (
        <chakra.section key={month} aria-label={month} px="5" pb="4">
          <chakra.h3 textStyle="xs" color="fg.muted" fontWeight="medium" mb="1.5">
            {month}
          </chakra.h3>
          <chakra.ul
            display="grid"
            gridTemplateColumns="repeat(auto-fill, minmax(84px, 1fr))"
            gap="1"
            listStyleType="none"
          >
            {found.map((message) => (
              <chakra.li key={message.id}>
                <Tile
                  message={message}
                  from={fromOf(message) ?? t('gallery.us')}
                  onOpen={() => onOpenImage(oldestFirst, message.id)}
                />
              </chakra.li>
            ))}
          </chakra.ul>
        </chakra.section>
      ))}
    </PagedScroller>
  );
}

function GallerySkeleton({ tab }: { tab: GalleryTab }) {
  const { t } = useTranslation('contactDrawer');
  const isGrid = tab === 'media';
  return (
    <chakra.div
      role="status"
      aria-label={t('loading')}
      display="grid"
      gap={isGrid ? '1' : '3'}
      px="5"
      gridTemplateColumns={isGrid ? 'repeat(3, 1fr)' : '1fr'}
    >
      {Array.from({ length: isGrid ? 9 : 4 }, (_, place) => (
        <Skeleton
          key={place}
          display="block"
          {...(isGrid ? { aspectRatio: '1', w: 'full' } : { h: '11' })}
        />
      ))}
    </chakra.div>
  );
}

const tileStyle = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  position: 'relative',
  w: 'full',
  aspectRatio: '1',
  overflow: 'hidden',
  borderRadius: 'sm',
  bg: 'bg.subtle',
  color: 'fg.muted',
  textStyle: 'xs',
  cursor: 'pointer',
  _hover: { opacity: 0.88 },
  _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '2px' },
} as const;

const coverStyle = { w: 'full', h: 'full', objectFit: 'cover' } as const;

function Tile(props: { message: GalleryMessage; from: string; onOpen: () => void }) {
  const { message, from, onOpen } = props;
  const { t } = useTranslation('contactDrawer');
  const [isBroken, setBroken] = useState(false);
  const url = message.mediaUrl ?? '';
  const label = t(message.mediaType === 'video' ? 'gallery.openVideo' : 'gallery.openImage', {
    name: from,
    day: formatDate(message.createdAt),
  });
  if (message.mediaType === 'video')
    return (
      <chakra.button {...tileStyle} type="button" aria-label={label} onClick={onOpen}>
        <chakra.video {...coverStyle} src={`${url}#t=0.1`} preload="metadata" muted aria-hidden />
        <chakra.span
          aria-hidden
          position="absolute"
          display="flex"
          p="2"
          borderRadius="full"
          bg="black/60"
          color="white"
        >
          <Play size={16} />
        </chakra.span>
      </chakra.button>
    );
  return (
    <chakra.button {...tileStyle} type="button" aria-label={label} onClick={onOpen}>
      {isBroken ? (
        <Images size={20} aria-hidden />
      ) : (
        <chakra.img
          {...coverStyle}
          src={url}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
        />
      )}
    </chakra.button>
  );
}

function File({ message }: { message: GalleryMessage }) {
  const { t } = useTranslation('contactDrawer');
  const name = message.mediaName || t('gallery.file');
  const about = [
    message.mediaSize === null ? null : formatBytes(message.mediaSize),
    formatDate(message.createdAt),
  ];
  return (
    <chakra.a
      href={message.mediaUrl ?? ''}
      download={name}
      target="_blank"
      rel="noreferrer"
      display="flex"
      alignItems="center"
      gap="3"
      px="5"
      py="2"
      _hover={{ bg: 'bg.hover' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
    >
      <chakra.span
        aria-hidden
        display="flex"
        p="2"
        borderRadius="sm"
        bg="bg.subtle"
        color="fg.muted"
      >
        <FileText size={20} />
      </chakra.span>
      <chakra.span flex="1" minW="0">
        <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate title={name}>
          <chakra.span srOnly>{t('gallery.download')} </chakra.span>
          {name}
        </chakra.span>
        <chakra.span
          display="block"
          textStyle="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          {about.filter(Boolean).join(' · ')}
        </chakra.span>
      </chakra.span>
      <chakra.span aria-hidden color="fg.muted">
        <Download size={16} />
      </chakra.span>
    </chakra.a>
  );
}
