/** Milliseconds for a picture that does not read at once. */
const PATIENCE_MS = 1000;

const reader = () => import('qr/decode.js').then((module) => module.default);

/** The text of a drawn code, nothing where there is none. */
async function decode(canvas: HTMLCanvasElement): Promise<string | null> {
  const read = await reader();
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  if (!pixels || !width || !height) return null;
  try {
    return read(pixels.getImageData(0, 0, width, height), { timeLimit: PATIENCE_MS });
  } catch {
    return null; // the library throws where it finds no code
  }
}

function drawn(source: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  if (pixels) {
    // What a picture leaves open is paper.
    pixels.fillStyle = '#fff';
    pixels.fillRect(0, 0, width, height);
    pixels.drawImage(source, 0, 0);
  }
  return canvas;
}

/** Reads the code in a picture, e.g. a screenshot; nothing where there is none. */
export async function readPicture(file: Blob): Promise<string | null> {
  try {
    const picture = await createImageBitmap(file);
    return await decode(drawn(picture, picture.width, picture.height));
  } catch {
    return null; // no picture
  }
}

/** Reads what a camera shows right now. */
export const readFrame = (video: HTMLVideoElement) =>
  decode(drawn(video, video.videoWidth, video.videoHeight));
