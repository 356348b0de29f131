/** A voice note being recorded. */
export interface Recording {
  stop: () => Promise<Blob>;
}

/** How often the recorder delivers data. */
const PART_MS = 100;

export const canRecord = () => typeof MediaRecorder !== 'undefined' && 'mediaDevices' in navigator;

/** Starts the microphone; null if there is none or the user refuses. */
export async function startRecording(): Promise<Recording | null> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return null;
  }
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  const heard = new Promise<void>((resolve) => {
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0) return;
      parts.push(data);
      resolve();
    };
  });
  recorder.start(PART_MS);
  return {
    stop: async () => {
      // A recording that is stopped at once would be empty, which no phone sends.
      await heard;
      return new Promise((resolve) => {
        recorder.onstop = () => {
          for (const track of stream.getTracks()) track.stop();
          resolve(new Blob(parts, { type: recorder.mimeType }));
        };
        recorder.stop();
      });
    },
  };
}
