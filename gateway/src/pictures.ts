import { createHash } from 'node:crypto';
import type { WASocket } from 'baileys';
import { Refusal } from './refusals.js';

const FETCH_TIMEOUT_MS = 15_000;
/** The small picture has only a few kilobytes. */
const LARGEST = 512 * 1024;
/** No such person, no picture, or not visible to us. */
const NONE: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/**
 * The answer of a `picture` command: the picture's id, and its bytes if that is not the known id.
 */
export type Picture = { picture: string; mime?: string; data?: string };

/** The address of a person's small picture; '' if there is none or it is not visible to us. */
export async function pictureAddress(socket: WASocket, jid: string): Promise<string> {
  try {
    return (await socket.profilePictureUrl(jid, 'preview')) ?? '';
  } catch (error) {
    const { data } = error as { data?: unknown };
    if (typeof data === 'number' && NONE.has(data)) return '';
    throw new Refusal(503, 'ERR_NO_ANSWER', 'WhatsApp does not say what picture there is.');
  }
}

/** Fetches the picture at a WhatsApp address; from `mediaUrl` if that is set. */
export async function fetchPicture(url: string, known: string, mediaUrl: string): Promise<Picture> {
  if (!url) return { picture: '' };
  const { protocol, hostname, pathname, search } = new URL(url);
  if (protocol !== 'https:' || !hostname.endsWith('.whatsapp.net')) return { picture: '' };
  // The rest of the address is an expiring token.
  const picture = createHash('sha256').update(pathname).digest('hex');
  if (picture === known) return { picture };
  const response = await fetch(mediaUrl ? `${mediaUrl}${pathname}${search}` : url, {
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  }).catch(() => null);
  if (response && NONE.has(response.status)) return { picture: '' };
  const bytes = response?.ok ? Buffer.from(await response.arrayBuffer()) : null;
  if (!bytes) throw new Refusal(503, 'ERR_NO_ANSWER', 'WhatsApp does not give the picture.');
  if (bytes.length > LARGEST) return { picture: '' };
  const mime = response?.headers.get('content-type') ?? 'image/jpeg';
  return { picture, mime, data: bytes.toString('base64') };
}
