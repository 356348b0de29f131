import { chakra } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '@/lib/format';
import { reach, touch } from '@/theme/screens';
import { Meta } from '../BubbleTime';
import { removeItem, type OutboxItem } from '../outbox';
import type { Message } from '../types';
import { MediaState } from './Media';
import { play, soundAfter, useSpeed } from './playing';
import { useWaveform } from './useWaveform';

/** A voice note or other sound, with play button, position and speed. */
export function Audio({ message, item }: { message: Message; item: OutboxItem | undefined }) {
  const { t } = useTranslation(['messages', 'common']);
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [loadedLength, setLoadedLength] = useState(0);
  const { speed, next: nextSpeed } = useSpeed();
  const bars = useWaveform(message.id, message.mediaUrl, message.mediaSize);
  const length = message.mediaSeconds ?? loadedLength;

  useEffect(() => {
    const element = audio.current;
    return () => element?.pause();
  }, []);
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = speed;
  }, [speed]);

  if (!message.mediaUrl && !item) {
    return (
      <chakra.div display="flex" flexDirection="column" py="1">
        <MediaState state={message.mediaState} />
        <chakra.span alignSelf="flex-end" px="1.5">
          <Meta message={message} inset={false} />
        </chakra.span>
      </chakra.div>
    );
  }

  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) {
      element.pause();
      return;
    }
    play(element).catch(() => setPlaying(false));
  };
  const seek = (to: number) => {
    setSeconds(to);
    if (audio.current) audio.current.currentTime = to;
  };
  const share = length > 0 ? seconds / length : 0;

  return (
    <chakra.div display="flex" alignItems="center" gap="2.5" p="1" w="252px" maxW="full">
      {message.mediaUrl && (
        <chakra.audio
          ref={audio}
          src={message.mediaUrl}
          preload="metadata"
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onEnded={({ currentTarget }) => {
            seek(0);
            const next = soundAfter(currentTarget);
            if (next) play(next).catch(() => undefined);
          }}
          onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
          onLoadedMetadata={({ currentTarget: { duration } }) => {
            if (Number.isFinite(duration)) setLoadedLength(duration);
          }}
        />
      )}
      <chakra.button
        type="button"
        aria-label={item ? t('outbox.cancel') : isPlaying ? t('audio.pause') : t('audio.play')}
        onClick={item ? () => removeItem(item.clientId) : toggle}
        display="flex"
        alignItems="center"
        justifyContent="center"
        flexShrink="0"
        w="9"
        h="9"
        borderRadius="full"
        bg="brand.solid"
        color="brand.on"
        cursor="pointer"
        _hover={{ bg: 'brand.hover' }}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '2px' }}
      >
        {isPlaying ? (
          <Pause size={18} fill="currentColor" />
        ) : (
          <Play size={18} fill="currentColor" style={{ marginInlineStart: 2 }} />
        )}
      </chakra.button>
      <chakra.div flex="1" minW="0">
        <chakra.div position="relative" h="6">
          <chakra.div
            aria-hidden
            display="flex"
            alignItems="center"
            justifyContent="space-between"
            h="full"
            overflow="hidden"
          >
            {bars.map((height, index) => (
              <chakra.span
                key={index}
                w="2px"
                flexShrink="0"
                borderRadius="full"
                bg={(index + 0.5) / bars.length <= share ? 'brand.fg' : 'border.control'}
                opacity={(index + 0.5) / bars.length <= share ? 1 : 0.6}
                style={{ height: Math.round(3 + height * 19) }}
              />
            ))}
          </chakra.div>
          <chakra.input
            type="range"
            aria-label={t('audio.position')}
            aria-valuetext={`${formatDuration(seconds)} / ${formatDuration(length)}`}
            min="0"
            max={Math.max(length, 0.1)}
            step="0.1"
            value={Math.min(seconds, Math.max(length, 0.1))}
            disabled={length === 0}
            onChange={(event) => seek(Number(event.target.value))}
            position="absolute"
            inset="0"
            w="full"
            opacity="0"
            cursor="pointer"
            css={{
              '&:focus-visible': { opacity: 1, accentColor: 'var(--chakra-colors-brand-fg)' },
            }}
          />
        </chakra.div>
        <chakra.div
          display="flex"
          justifyContent="space-between"
          textStyle="xs"
          color={message.fromMe ? 'bubble.out.meta' : 'fg.muted'}
          fontVariantNumeric="tabular-nums"
        >
          <span>{formatDuration(isPlaying || seconds > 0 ? seconds : length)}</span>
          <Meta message={message} inset={false} />
        </chakra.div>
      </chakra.div>
      <chakra.button
        type="button"
        aria-label={t('audio.speed', { speed: String(speed).replace('.', ',') })}
        onClick={nextSpeed}
        css={{ ...reach, [touch]: { ...reach[touch], alignSelf: 'center', mt: '0' } }}
        flexShrink="0"
        alignSelf="flex-start"
        minW="9"
        h="5"
        px="1.5"
        mt="0.5"
        borderRadius="full"
        bg="brand.fg/10"
        textStyle="xs"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        cursor="pointer"
        _hover={{ bg: 'brand.fg/18' }}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
      >
        {`${String(speed).replace('.', ',')}×`}
      </chakra.button>
    </chakra.div>
  );
}
