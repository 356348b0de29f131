import { create } from 'zustand';

const KEY = 'audioSpeed';
const SPEEDS = [1, 1.5, 2];

/** How fast voices are played; who likes one fast likes them all fast. */
export const useSpeed = create<{ speed: number; next: () => void }>((set) => ({
  speed: SPEEDS.find((speed) => speed === Number(localStorage.getItem(KEY))) ?? 1,
  next: () =>
    set(({ speed }) => {
      const faster = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
      localStorage.setItem(KEY, String(faster));
      return { speed: faster };
    }),
}));

/** Two voices at once help nobody. */
let playing: HTMLAudioElement | null = null;

/** Plays one sound and silences the one before. */
export async function play(audio: HTMLAudioElement) {
  if (playing !== audio) playing?.pause();
  playing = audio;
  audio.playbackRate = useSpeed.getState().speed;
  await audio.play();
}

/** The sound of the very next message; several in a row are heard as one. */
export function soundAfter(audio: HTMLAudioElement): HTMLAudioElement | null {
  const row = audio.closest('[data-message]');
  const rows = [...(audio.closest('[role=log]')?.querySelectorAll('[data-message]') ?? [])];
  return rows[row ? rows.indexOf(row) + 1 : rows.length]?.querySelector('audio') ?? null;
}
