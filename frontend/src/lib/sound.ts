/** The sound of a new message: two soft notes, synthesised in the browser. */

const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 987.77, at: 0.09 },
];
const LASTS_SECONDS = 0.45;
/** The peak gain at volume 1. */
const LOUDEST = 0.3;

let context: AudioContext | null = null;

/**
 * Plays the sound at a volume of 0 (silent) to 1; browsers may block it before the first press or
 * key.
 */
export function playChime(volume: number): void {
  if (volume <= 0 || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const audio = context;
  if (audio.state === 'suspended') {
    // A late sound would be meaningless: play it now or not at all.
    void audio.resume().then(() => sound(audio, volume));
    return;
  }
  sound(audio, volume);
}

function sound(audio: AudioContext, volume: number) {
  for (const { hertz, at } of NOTES) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.type = 'sine';
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.0001, start);
    loudness.gain.exponentialRampToValueAtTime(LOUDEST * volume, start + 0.012);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + LASTS_SECONDS);
    tone.connect(loudness).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LASTS_SECONDS);
  }
}
