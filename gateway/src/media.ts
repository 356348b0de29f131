import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import {
  downloadEncryptedContent,
  encodeBase64EncodedStringForUpload,
  getMediaKeys,
  MEDIA_PATH_MAP,
  uploadWithNodeHttp,
} from 'baileys';
import type { AnyMessageContent, MediaType, WAMediaUploadFunction, WASocket } from 'baileys';
import type { Given } from './refusals.js';
import { Refusal } from './refusals.js';
import type { ServerClient } from './server-client.js';

const MEDIA_HOST = 'mmg.whatsapp.net';
const ORIGIN = 'https://web.whatsapp.com';
const UPLOAD_TIMEOUT_MS = 120_000;

const KINDS: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** Returns Baileys' upload function: to the hosts that WhatsApp names, or to `mediaUrl`. */
export function uploader(socket: WASocket, mediaUrl: string): WAMediaUploadFunction {
  return async (filePath, { mediaType, fileEncSha256B64, timeoutMs }) => {
    const { auth, hosts } = await socket.refreshMediaConn(false);
    const token = encodeBase64EncodedStringForUpload(fileEncSha256B64);
    const bases = mediaUrl ? [mediaUrl] : hosts.map(({ hostname }) => `https://${hostname}`);
    for (const base of bases) {
      const path = `${MEDIA_PATH_MAP[mediaType]}/${token}`;
      const stored = await uploadWithNodeHttp({
        url: `${base}${path}?auth=${encodeURIComponent(auth)}&token=${token}`,
        filePath,
        headers: { 'Content-Type': 'application/octet-stream', Origin: ORIGIN },
        timeoutMs: timeoutMs ?? UPLOAD_TIMEOUT_MS,
      }).catch(() => undefined);
      if (stored?.direct_path)
        return { mediaUrl: stored.url ?? '', directPath: stored.direct_path };
    }
    await socket.refreshMediaConn(true);
    throw new Refusal(502, 'ERR_MEDIA_UPLOAD', 'WhatsApp took no file.');
  };
}

/** The content of a `media` command; the file is streamed from the server. */
export async function mediaContent(server: ServerClient, given: Given): Promise<AnyMessageContent> {
  const stream = Readable.fromWeb((await server.openFile(given.text('url'))) as WebStream);
  const file = { stream };
  const mimetype = given.text('mime');
  const caption = given.optionalText('caption') || undefined;
  const seconds = Math.round(given.number('seconds') ?? 0);
  switch (given.text('kind')) {
    case 'image':
      // This process has no image library, so no thumbnail is sent.
      return { image: file, mimetype, caption, jpegThumbnail: '' };
    case 'video':
      return { video: file, mimetype, caption, seconds, jpegThumbnail: '' };
    case 'audio':
      return voice({ audio: file, mimetype, ptt: given.flag('isVoice'), seconds });
    case 'sticker':
      return { sticker: file, mimetype };
    default: {
      const fileName = given.optionalText('name') || 'file';
      return { document: file, mimetype, caption, fileName };
    }
  }
}

/**
 * A voice note's waveform has 64 values: constant ones, so that Baileys need not decode the sound.
 */
function voice(content: AnyMessageContent): AnyMessageContent {
  const waveform = new Uint8Array(64).fill(30);
  return Object.assign(content, { waveform });
}

/** A received file, decrypted, as a stream that fails if the file does not match its hash. */
export async function openMedia(reference: Given, mediaUrl: string): Promise<Readable> {
  const kind = reference.text('kind');
  if (!KINDS.has(kind)) throw new Refusal(400, 'ERR_BAD_COMMAND', 'kind is unknown.');
  const keys = await getMediaKeys(
    Buffer.from(reference.text('mediaKey'), 'base64'),
    kind as MediaType,
  );
  try {
    const url = mediaAddress(reference, mediaUrl);
    const stream = await downloadEncryptedContent(url, keys, {});
    return checked(stream, reference.optionalText('sha256'));
  } catch (error) {
    const { output } = error as { output?: { statusCode?: number } };
    const status = output?.statusCode ?? 0;
    if (status === 403 || status === 404 || status === 410) {
      throw new Refusal(404, 'ERR_MEDIA_GONE', 'WhatsApp has the file no more.', {
        permanent: true,
      });
    }
    throw error;
  }
}

/** The address of the file: only hosts of WhatsApp, whatever the sender wrote. */
function mediaAddress(reference: Given, mediaUrl: string): string {
  const path = reference.optionalText('directPath');
  if (path.startsWith('/')) return `${mediaUrl || `https://${MEDIA_HOST}`}${path}`;
  const url = new URL(reference.text('url'));
  if (url.protocol !== 'https:' || !url.hostname.endsWith('.whatsapp.net')) {
    throw new Refusal(400, 'ERR_BAD_COMMAND', 'The file lies at no host of WhatsApp.');
  }
  return url.href;
}

function checked(stream: Readable, sha256: string): Readable {
  const hash = createHash('sha256');
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      const isRight = !sha256 || hash.digest('base64') === sha256;
      done(isRight ? null : new Error('The file is not the one that was sent.'));
    },
  });
  stream.on('error', (error) => check.destroy(error));
  return stream.pipe(check);
}
