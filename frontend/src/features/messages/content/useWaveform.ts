import { useEffect, useState } from 'react';

const BARS = 36;
/** Longer sounds are not worth the download before they are played. */
const MAX_BYTES = 1_000_000;
const FLAT: readonly number[] = Array.from({ length: BARS }, () => 0.12);

const known = new Map<string, readonly number[]>();

/** The loudest moment of each of `count` equal parts, 0 to 1 of the loudest of all. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const size = Math.max(1, Math.floor(samples.length / count));
  const peaks = Array.from({ length: count }, (_, bar) => {
    let peak = 0;
    for (const sample of samples.subarray(bar * size, (bar + 1) * size))
      peak = Math.max(peak, Math.abs(sample));
    return peak;
  });
  const loudest = Math.max(...peaks, 0.01);
  return peaks.map((peak) => peak / loudest);
}

async function decode(url: string, signal: AbortSignal): Promise<readonly number[]> {
  const response = await fetch(url, { signal });
  const bytes = await response.arrayBuffer();
  // An offline context may decode before the person has touched the page.
  const decoded = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes);
  return peaksOf(decoded.getChannelData(0), BARS);
}

/** How loud a sound is along its length; even bars until that is known, or when it cannot be. */
export function useWaveform(
  id: number,
  url: string | null,
  size: number | null,
): readonly number[] {
  const key = String(id);
  const [, setDecoded] = useState(0);
  const isWorth = url !== null && (size ?? 0) > 0 && (size ?? 0) <= MAX_BYTES;
  useEffect(() => {
    if (!url || !isWorth || known.has(key) || typeof OfflineAudioContext === 'undefined') return;
    const controller = new AbortController();
    decode(url, controller.signal).then(
      (bars) => {
        known.set(key, bars);
        setDecoded((count) => count + 1);
      },
      // A sound that this browser cannot decode keeps its even bars.
      () => undefined,
    );
    return () => controller.abort();
  }, [key, url, isWorth]);
  return known.get(key) ?? FLAT;
}
