/** Turns sound into mp3 as it comes, off the main thread, so that typing stays smooth. */

import { createEncoder } from 'wasm-media-encoders';
import wasmUrl from 'wasm-media-encoders/wasm/mp3?url';

/** See rules/messages §9. */
const KBIT_PER_SECOND = 128;

/** On the port comes the sound, and null at its end; 'end' is for when that does not come. */
export type ToEncoder = { kind: 'start'; sampleRate: number; port: MessagePort } | { kind: 'end' };
export type FromEncoder =
  { kind: 'ready' } | { kind: 'done'; parts: Uint8Array<ArrayBuffer>[] } | { kind: 'failed' };

// The compiler's library is the page's; a worker posts without an origin.
const tell = (message: FromEncoder) => (self.postMessage as (data: FromEncoder) => void)(message);

let finish: (() => void) | null = null;

async function start(sampleRate: number, port: MessagePort) {
  const encoder = await createEncoder('audio/mpeg', wasmUrl);
  encoder.configure({ sampleRate, channels: 1, bitrate: KBIT_PER_SECOND });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // What the encoder gives is its own memory.
  const keep = (encoded: Uint8Array) => {
    if (encoded.length > 0) parts.push(encoded.slice());
  };
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
  else start(data.sampleRate, data.port).catch(() => tell({ kind: 'failed' }));
};
