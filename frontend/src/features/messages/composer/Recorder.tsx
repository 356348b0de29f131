import { chakra } from '@chakra-ui/react';
import { Mic, Pause, Play, SendHorizontal, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { IconButton } from '@/components/IconButton';
import { formatDuration } from '@/lib/format';
import { useUnsaved } from '@/lib/unsaved';
import {
  isTooShort,
  MAX_SECONDS,
  refusalOfError,
  startRecording,
  type Recording,
  type Refusal,
} from './recording';

/** The number of bars in the widest conversation. */
const BARS = 200;
const BAR_MS = 90;

export type RecorderEnd =
  | { kind: 'recorded'; file: File }
  | { kind: 'short' }
  | { kind: 'refused'; reason: Refusal }
  | null;

interface RecorderProps {
  /**
   * Called once: with the recording, with the reason for its failure, or with nothing if it was
   * discarded.
   */
  onEnd: (end: RecorderEnd) => void;
}

/** Records a voice note in place of the input; unmounting turns the microphone off. */
export default function Recorder({ onEnd }: RecorderProps) {
  const { t } = useTranslation('messages');
  const [state, setState] = useState<'starting' | 'recording' | 'paused' | 'sending'>('starting');
  const [seconds, setSeconds] = useState(0);
  const [asks, setAsks] = useState(false);
  /** The address of the sound so far, while the recording is paused. */
  const [heard, setHeard] = useState<string | null>(null);
  const isGoingOn = state === 'recording' || state === 'paused';
  useUnsaved(isGoingOn && seconds > 0, 'path');
  const [levels, setLevels] = useState<readonly number[]>([]);
  const recording = useRef<Recording | null>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const refuse = useEffectEvent((error: unknown) =>
    onEnd({ kind: 'refused', reason: refusalOfError(error) }),
  );

  useEffect(() => {
    let isGone = false;
    startRecording().then(
      (started) => {
        if (isGone) {
          started.discard();
          return;
        }
        recording.current = started;
        setState('recording');
      },
      (error: unknown) => {
        if (!isGone) refuse(error);
      },
    );
    return () => {
      isGone = true;
      recording.current?.discard();
    };
  }, []);

  const isStarting = state === 'starting';
  useEffect(() => {
    if (!isStarting) sendButton.current?.focus();
  }, [isStarting]);

  useEffect(() => {
    if (state !== 'recording') return;
    const timer = setInterval(() => {
      setSeconds(Math.min(MAX_SECONDS, Math.floor(recording.current?.seconds() ?? 0)));
      const level = recording.current?.level() ?? 0;
      setLevels((before) => [...before.slice(1 - BARS), level]);
    }, BAR_MS);
    return () => clearInterval(timer);
  }, [state]);

  useEffect(() => {
    if (heard) return () => URL.revokeObjectURL(heard);
    return undefined;
  }, [heard]);

  const turn = async () => {
    const current = recording.current;
    if (!current || !isGoingOn) return;
    try {
      if (state === 'paused') {
        setHeard(null);
        await current.resume();
        setState('recording');
      } else {
        setState('paused');
        await current.pause();
        setHeard(URL.createObjectURL(await current.soFar()));
      }
    } catch (error) {
      onEnd({ kind: 'refused', reason: refusalOfError(error) });
    }
  };

  const send = async () => {
    const current = recording.current;
    if (!current || !isGoingOn) return;
    setHeard(null);
    setState('sending');
    try {
      const file = await current.finish();
      onEnd(isTooShort(file.size) ? { kind: 'short' } : { kind: 'recorded', file });
    } catch (error) {
      onEnd({ kind: 'refused', reason: refusalOfError(error) });
    }
  };
  const isFull = seconds >= MAX_SECONDS;
  useEffect(() => {
    // The recording has reached WhatsApp's size limit.
    if (isFull) void send();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isFull]);

  return (
    <>
      <chakra.div
        role="group"
        aria-label={t('recorder.label')}
        display="flex"
        alignItems="center"
        gap="3"
        px="2"
        py="3"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          // A shorter recording is not sent either.
          if (seconds > 0) setAsks(true);
          else onEnd(null);
        }}
      >
        <IconButton
          label={t('recorder.discard')}
          icon={<Trash2 size={20} />}
          size="sm"
          disabled={state === 'sending'}
          onClick={() => onEnd(null)}
        />
        <chakra.span
          aria-hidden
          flexShrink="0"
          w="2.5"
          h="2.5"
          borderRadius="full"
          bg="status.danger.solid"
          opacity={state === 'recording' ? 1 : 0.4}
          animation={state === 'recording' ? 'pulse 1.6s ease-in-out infinite' : undefined}
        />
        <chakra.span
          role="timer"
          aria-label={t('recorder.time', { time: formatDuration(seconds) })}
          textStyle="md"
          fontVariantNumeric="tabular-nums"
          minW="11"
        >
          {clock(seconds)}
        </chakra.span>
        <chakra.span
          aria-hidden={state === 'paused' ? undefined : true}
          flex="1"
          minW="0"
          h="8"
          display="flex"
          alignItems="center"
          justifyContent="flex-end"
          gap="2px"
          overflow="hidden"
          color="brand.fg"
        >
          {state === 'paused' && heard ? (
            <Listening address={heard} />
          ) : isGoingOn ? (
            levels.map((level, index) => (
              <chakra.span
                key={index}
                flexShrink="0"
                w="2px"
                borderRadius="full"
                bg="currentcolor"
                style={{ height: `${Math.round(3 + level * 27)}px` }}
              />
            ))
          ) : (
            <chakra.span flex="1" textStyle="sm" color="fg.muted">
              {state === 'starting' ? t('recorder.starting') : t('recorder.sending')}
            </chakra.span>
          )}
        </chakra.span>
        <chakra.span srOnly role="status">
          {isGoingOn ? t(`recorder.${state}`) : ''}
        </chakra.span>
        <IconButton
          label={t(state === 'paused' ? 'recorder.resume' : 'recorder.pause')}
          icon={state === 'paused' ? <Mic size={20} /> : <Pause size={20} />}
          size="sm"
          disabled={!isGoingOn}
          onClick={() => void turn()}
        />
        <IconButton
          ref={sendButton}
          label={t('recorder.send')}
          icon={isGoingOn ? <SendHorizontal size={20} /> : <Spinner size={20} />}
          variant="solid"
          size="sm"
          disabled={!isGoingOn}
          onClick={() => void send()}
        />
      </chakra.div>
      {/* A sibling, so that Escape in the dialog does not reach the recorder. */}
      <ConfirmDialog
        open={asks && isGoingOn}
        onClose={() => setAsks(false)}
        onConfirm={() => onEnd(null)}
        title={t('recorder.discardTitle')}
        confirmLabel={t('recorder.discard')}
        cancelLabel={t('recorder.goOn')}
      >
        {t('recorder.discardText')}
      </ConfirmDialog>
    </>
  );
}

const two = (value: number) => String(value).padStart(2, '0');

/** mm:ss (rules/messages §9). */
const clock = (seconds: number) => `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;

/** Plays the sound so far. */
function Listening({ address }: { address: string }) {
  const { t } = useTranslation('messages');
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [share, setShare] = useState(0);
  const turn = () => {
    const element = audio.current;
    if (!element) return;
    if (element.paused) element.play().catch(() => setPlaying(false));
    else element.pause();
  };
  return (
    <>
      <IconButton
        label={t(isPlaying ? 'recorder.stopListening' : 'recorder.listen')}
        icon={isPlaying ? <Pause size={20} /> : <Play size={20} />}
        size="sm"
        onClick={turn}
      />
      <chakra.span flex="1" h="1" borderRadius="full" bg="bg.subtle" overflow="hidden" aria-hidden>
        <chakra.span
          display="block"
          h="full"
          bg="brand.solid"
          style={{ width: `${Math.round(share * 100)}%` }}
        />
      </chakra.span>
      <audio
        ref={audio}
        src={address}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setShare(1)}
        onTimeUpdate={({ currentTarget: { currentTime, duration } }) =>
          setShare(Number.isFinite(duration) && duration > 0 ? currentTime / duration : 0)
        }
      />
    </>
  );
}
