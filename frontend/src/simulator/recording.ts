/** A voice note being recorded. */
export interface Recording {
  stop: () => Promise<Blob>;
}

export const canRecord = () => typeof MediaRecorder !== 'undefined' && 'mediaDevices' in navigator;

/** Starts the microphone; null when there is none or the person refuses. */
export async function startRecording(): Promise<Recording | null> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return null;
  }
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.start();
  return {
    stop: () =>
      new Promise((resolve) => {
        recorder.onstop = () => {
          for (const track of stream.getTracks()) track.stop();
          resolve(new Blob(parts, { type: recorder.mimeType }));
        };
        recorder.stop();
      }),
  };
}
