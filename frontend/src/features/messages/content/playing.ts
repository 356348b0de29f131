import { create } from 'zustand';

const KEY = 'audioSpeed';
const SPEEDS = [1, 1.5, 2];

/** The playback speed, shared by all voice notes. */
export const useSpeed = create<{ speed: number; next: () => void }>((set) => ({
  speed: SPEEDS.find((speed) => speed === Number(localStorage.getItem(KEY))) ?? 1,
  next: () =>
    set(({ speed }) => {
      const faster = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
      localStorage.setItem(KEY, String(faster));
      return { speed: faster };
    }),
}));

/** The sound that plays now; only one plays at a time. */
let playing: HTMLAudioElement | null = null;

/** Plays a sound and pauses the previous one. */
export async function play(audio: HTMLAudioElement) {
  if (playing !== audio) playing?.pause();
  playing = audio;
  audio.playbackRate = useSpeed.getState().speed;
  await audio.play();
}

/** The sound of the message directly after this one; consecutive voice notes play as one. */
export function soundAfter(audio: HTMLAudioElement): HTMLAudioElement | null {
  const row = audio.closest('[data-message]');
  const rows = [...(audio.closest('[role=log]')?.querySelectorAll('[data-message]') ?? [])];
  return rows[row ? rows.indexOf(row) + 1 : rows.length]?.querySelector('audio') ?? null;
}
