import { newClientId } from '@/lib/clientId';
import captureUrl from './capture.worklet.js?url&no-inline';
import type { FromEncoder, ToEncoder } from './mp3.worker';

/** A smaller recording was started by mistake (rules/messages §9). */
export const MIN_BYTES = 10_000;
/** At 128 kbit/s this stays well below WhatsApp's 16 MB. */
export const MAX_SECONDS = 15 * 60;
/** The last samples take a few milliseconds to reach the encoder. */
const LATE_MS = 1000;
/** The server sends a file of this name as a voice note (apps/tickets/services/outbox/outgoing.py). */
const NAME = 'audio-record-site';

export type Refusal = 'denied' | 'missing' | 'busy' | 'insecure' | 'failed';

/** The microphone or the encoder is not available; `reason` is a translation key. */
export class RecordingRefused extends Error {
  constructor(readonly reason: Refusal) {
    super(reason);
  }
}

const REASONS: Readonly<Record<string, Refusal>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

export function refusalOfError(error: unknown): Refusal {
  if (error instanceof RecordingRefused) return error.reason;
  const isNamed = error instanceof Error || error instanceof DOMException;
  return (isNamed && REASONS[error.name]) || 'failed';
}

/** Whether a recording is too short to be a message. */
export const isTooShort = (bytes: number): boolean => bytes < MIN_BYTES;

export interface Recording {
  /** The seconds of sound received; on a busy machine less than the elapsed time. */
  seconds: () => number;
  /** The current volume, 0 to 1. */
  level: () => number;
  /** Hears nothing until `resume`. */
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  /** Returns the sound so far, to listen to while the recording is paused. */
  soFar: () => Promise<Blob>;
  /** Ends the recording, also a paused one; returns the file. */
  finish: () => Promise<File>;
  /** Ends and discards the recording; has no effect after `finish`. */
  discard: () => void;
}

async function microphone(): Promise<MediaStream> {
  // Missing if the page was loaded without TLS.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) throw new RecordingRefused('insecure');
  return devices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  });
}

type Answers = Pick<Worker, 'onmessage' | 'onerror'>;
type Kind = FromEncoder['kind'];

/**
 * Returns a function that waits for the encoder's next answer of a kind. One may send while the
 * sound so far is still on its way, so several are waited for; a failure ends all.
 */
export function answersOf(worker: Answers): (kind: Kind) => Promise<FromEncoder> {
  interface Wait {
    kind: Kind;
    resolve: (message: FromEncoder) => void;
    reject: (error: RecordingRefused) => void;
  }
  let waits: Wait[] = [];
  const fail = () => {
    for (const wait of waits.splice(0)) wait.reject(new RecordingRefused('failed'));
  };
  worker.onmessage = ({ data }: MessageEvent<FromEncoder>) => {
    if (data.kind === 'failed') fail();
    const meant = waits.filter(({ kind }) => kind === data.kind);
    waits = waits.filter(({ kind }) => kind !== data.kind);
    for (const { resolve } of meant) resolve(data);
  };
  worker.onerror = fail;
  return (kind) =>
    new Promise((resolve, reject) => {
      waits.push({ kind, resolve, reject });
    });
}

/** Records the microphone as mp3; throws an error that `refusalOfError` maps to a reason. */
export async function startRecording(): Promise<Recording> {
  const stream = await microphone();
  const context = new AudioContext();
  const worker = new Worker(new URL('./mp3.worker.ts', import.meta.url), { type: 'module' });
  const tell = (message: ToEncoder, transfer: Transferable[] = []) =>
    worker.postMessage(message, transfer);
  const discard = () => {
    stream.getTracks().forEach((track) => track.stop());
    worker.terminate();
    if (context.state !== 'closed') void context.close();
  };
  const answer = answersOf(worker);

  try {
    const channel = new MessageChannel();
    const ready = answer('ready');
    tell({ kind: 'start', sampleRate: context.sampleRate, port: channel.port1 }, [channel.port1]);
    await Promise.all([ready, context.audioWorklet.addModule(captureUrl), context.resume()]);
    const source = context.createMediaStreamSource(stream);
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    capture.port.postMessage(channel.port2, [channel.port2]);
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    source.connect(capture);
    source.connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const startedAt = context.currentTime;
    const listen = (isOn: boolean) =>
      stream.getTracks().forEach((track) => {
        track.enabled = isOn;
      });

    return {
      seconds: () => context.currentTime - startedAt,
      level: () => {
        analyser.getFloatTimeDomainData(samples);
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
        return Math.min(1, Math.sqrt(power) * 4);
      },
      pause: async () => {
        listen(false);
        await context.suspend();
      },
      resume: async () => {
        listen(true);
        await context.resume();
      },
      soFar: async () => {
        const soFar = answer('soFar');
        tell({ kind: 'peek' });
        const message = await soFar;
        if (message.kind !== 'soFar') throw new RecordingRefused('failed');
        return new Blob(message.parts, { type: 'audio/mpeg' });
      },
      finish: async () => {
        let late = 0;
        try {
          // A suspended node would not deliver its last sound.
          if (context.state === 'suspended') await context.resume();
          const done = answer('done');
          // Sent through the audio node, so that all sound before it has been delivered.
          capture.port.postMessage('end');
          // A disconnected device delivers no more sound: then the sound so far is the recording.
          late = window.setTimeout(() => tell({ kind: 'end' }), LATE_MS);
          stream.getTracks().forEach((track) => track.stop());
          const message = await done;
          if (message.kind !== 'done') throw new RecordingRefused('failed');
          const name = `${NAME}-${newClientId().slice(0, 8)}.mp3`;
          return new File(message.parts, name, { type: 'audio/mpeg' });
        } finally {
          window.clearTimeout(late);
          discard();
        }
      },
      discard,
    };
  } catch (error) {
    discard();
    throw error;
  }
}
