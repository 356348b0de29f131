/** The time limit for decoding a picture. */
const PATIENCE_MS = 1000;

const reader = () => import('qr/decode.js').then((module) => module.default);

/** The text of the QR code on a canvas; null if there is none. */
async function decode(canvas: HTMLCanvasElement): Promise<string | null> {
  const read = await reader();
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  if (!pixels || !width || !height) return null;
  try {
    return read(pixels.getImageData(0, 0, width, height), { timeLimit: PATIENCE_MS });
  } catch {
    return null; // the library throws if it finds no code
  }
}

function drawn(source: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  if (pixels) {
    // Transparent parts of a picture become white.
    pixels.fillStyle = '#fff';
    pixels.fillRect(0, 0, width, height);
    pixels.drawImage(source, 0, 0);
  }
  return canvas;
}

/** Reads the QR code in a picture, for example a screenshot; null if there is none. */
export async function readPicture(file: Blob): Promise<string | null> {
  try {
    const picture = await createImageBitmap(file);
    return await decode(drawn(picture, picture.width, picture.height));
  } catch {
    return null; // not a picture
  }
}

/** Reads the QR code in the camera's current frame. */
export const readFrame = (video: HTMLVideoElement) =>
  decode(drawn(video, video.videoWidth, video.videoHeight));
