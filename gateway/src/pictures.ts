import { createHash } from 'node:crypto';
import type { WASocket } from 'baileys';
import { Refusal } from './refusals.js';

const FETCH_TIMEOUT_MS = 15_000;
/** The small one has a few kilobytes. */
const LARGEST = 512 * 1024;
/** Nobody of that name, none, and none for us. */
const NONE: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** What a `picture` command answers: its name, and the bytes where that is not the known one. */
export type Picture = { picture: string; mime?: string; data?: string };

/** Where the small picture of somebody lies, '' where there is none or we may not see it. */
export async function pictureAddress(socket: WASocket, jid: string): Promise<string> {
  try {
    return (await socket.profilePictureUrl(jid, 'preview')) ?? '';
  } catch (error) {
    const { data } = error as { data?: unknown };
    if (typeof data === 'number' && NONE.has(data)) return '';
    throw new Refusal(503, 'ERR_NO_ANSWER', 'WhatsApp does not say what picture there is.');
  }
}

/** The picture at an address of WhatsApp's; from `mediaUrl` where that is set. */
export async function fetchPicture(url: string, known: string, mediaUrl: string): Promise<Picture> {
  if (!url) return { picture: '' };
  const { protocol, hostname, pathname, search } = new URL(url);
  if (protocol !== 'https:' || !hostname.endsWith('.whatsapp.net')) return { picture: '' };
  // The rest of the address is a permission that ends.
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
