/** Encodes sound as mp3 while it is recorded, off the main thread, so that typing stays smooth. */

import { createEncoder } from 'wasm-media-encoders';
import wasmUrl from 'wasm-media-encoders/wasm/mp3?url';

/** See rules/messages §9. */
const KBIT_PER_SECOND = 128;

/**
 * The port delivers the sound, then null; 'end' stops the encoder if that null never comes. 'peek'
 * asks for the sound so far.
 */
export type ToEncoder =
  { kind: 'start'; sampleRate: number; port: MessagePort } | { kind: 'peek' } | { kind: 'end' };
export type FromEncoder =
  | { kind: 'ready' }
  | { kind: 'soFar' | 'done'; parts: Uint8Array<ArrayBuffer>[] }
  | { kind: 'failed' };

// TypeScript's library types are those of a page; in a worker postMessage takes no origin.
const tell = (message: FromEncoder) => (self.postMessage as (data: FromEncoder) => void)(message);

let finish: (() => void) | null = null;
let peek: (() => void) | null = null;

async function start(sampleRate: number, port: MessagePort) {
  const encoder = await createEncoder('audio/mpeg', wasmUrl);
  encoder.configure({ sampleRate, channels: 1, bitrate: KBIT_PER_SECOND });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // Copies the result, because the encoder reuses its memory.
  const keep = (encoded: Uint8Array) => {
    if (encoded.length > 0) parts.push(encoded.slice());
  };
  peek = () => tell({ kind: 'soFar', parts });
  finish = () => {
    finish = null;
    port.close();
    keep(encoder.finalize());
    tell({ kind: 'done', parts });
  };
  port.onmessage = ({ data }: MessageEvent<Float32Array | null>) =>
    data ? keep(encoder.encode([data])) : finish?.();
  tell({ kind: 'ready' });
}

self.onmessage = ({ data }: MessageEvent<ToEncoder>) => {
  if (data.kind === 'end') finish?.();
  else if (data.kind === 'peek') peek?.();
  else start(data.sampleRate, data.port).catch(() => tell({ kind: 'failed' }));
};
