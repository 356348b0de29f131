import { chakra } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { formatDate, formatDuration } from '@/lib/format';
import type { GalleryMessage } from './types';

/** An audio file of the gallery: play, pause, position. */
export function AudioRow({ message, from }: { message: GalleryMessage; from: string }) {
  const { t } = useTranslation('contactDrawer');
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [length, setLength] = useState(message.mediaSeconds ?? 0);
  useEffect(() => {
    const element = audio.current;
    return () => element?.pause();
  }, []);
  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) {
      element.pause();
      return;
    }
    // Only one sound plays at a time.
    for (const other of document.querySelectorAll('audio')) other.pause();
    element.play().catch(() => setPlaying(false));
  };
  const about = [
    seconds > 0 ? `${formatDuration(seconds)} / ${formatDuration(length)}` : null,
    seconds === 0 && length > 0 ? formatDuration(length) : null,
    formatDate(message.createdAt),
  ];
  return (
    <chakra.div display="flex" alignItems="center" gap="3" px="5" py="2">
      <chakra.audio
        ref={audio}
        src={message.mediaUrl ?? undefined}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget: { duration } }) => {
          if (Number.isFinite(duration)) setLength(duration);
        }}
        onEnded={() => setSeconds(0)}
      />
      <IconButton
        variant="outline"
        borderRadius="full"
        label={t(isPlaying ? 'gallery.pause' : 'gallery.play', {
          name: from,
          day: formatDate(message.createdAt),
        })}
        icon={isPlaying ? <Pause size={16} /> : <Play size={16} />}
        onClick={toggle}
      />
      <chakra.div flex="1" minW="0">
        <chakra.p textStyle="sm" fontWeight="medium" truncate>
          {from}
        </chakra.p>
        <chakra.p textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          {about.filter(Boolean).join(' · ')}
        </chakra.p>
        <chakra.div mt="1" h="0.5" bg="border.subtle" borderRadius="full" aria-hidden>
          <chakra.div
            h="full"
            bg="brand.solid"
            borderRadius="full"
            style={{ width: `${length > 0 ? Math.min(100, (seconds / length) * 100) : 0}%` }}
          />
        </chakra.div>
      </chakra.div>
    </chakra.div>
  );
}
