import { useEffect, useState } from 'react';

const BARS = 36;
/** Larger sounds are not downloaded just for their waveform. */
const MAX_BYTES = 1_000_000;
const FLAT: readonly number[] = Array.from({ length: BARS }, () => 0.12);

const known = new Map<string, readonly number[]>();

/** The peak of each of `count` equal parts, 0 to 1 relative to the overall peak. */
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
  // An offline context may decode before the first user gesture on the page.
  const decoded = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes);
  return peaksOf(decoded.getChannelData(0), BARS);
}

/** The waveform of a sound; even bars until it is known, or if it cannot be computed. */
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
      // If the browser cannot decode the sound, the bars stay even.
      () => undefined,
    );
    return () => controller.abort();
  }, [key, url, isWorth]);
  return known.get(key) ?? FLAT;
}
