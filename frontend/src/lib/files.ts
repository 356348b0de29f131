import fileTypes from './fileTypes.json';

/** What the server takes, checked before anything is uploaded (rules/messages §5). */

const MEGABYTE = 1024 * 1024;

export type FileKind = 'image' | 'audio' | 'video' | 'application';

/** What WhatsApp takes, in MB a kind. */
export const LIMITS_MB: Readonly<Record<FileKind, number>> = {
  image: 5,
  audio: 16,
  video: 16,
  application: 100,
};
export const MAX_FILES = 30;

/** The endings of what may be sent; the server's tests compare the list with its own. */
const ENDINGS = new Set(fileTypes);

/** Whether a name ends as something that may be sent; `.50` of a price is no ending. */
function isListed({ name, type }: File): boolean {
  const ending = /\.([^.\s]+)[. ]*$/.exec(name)?.[1] ?? '';
  return /\p{L}/u.test(ending) ? ENDINGS.has(ending.toLowerCase()) : type !== '';
}

export function kindOfMime(mime: string): FileKind {
  const family = mime.split('/')[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'application';
}

/** Where a stored file is: a quick message's `mediaPath` is a whole address, others are paths. */
export const fileAddress = (mediaPath: string): string =>
  /^https?:/.test(mediaPath) ? mediaPath : `/api/public/${mediaPath}`;

export const kindOfFile = (file: File): FileKind => kindOfMime(file.type);

type Refusal =
  | { reason: 'forbidden'; name: string }
  | { reason: 'empty'; name: string }
  | { reason: 'tooLarge'; name: string; limit: number };

/** Why a file cannot be sent; null when it can. `limit` is in MB. */
export function refusalOf(file: File): Refusal | null {
  const { name } = file;
  if (!isListed(file) || file.type === 'image/svg+xml' || file.type === 'text/html')
    return { reason: 'forbidden', name };
  if (file.size === 0) return { reason: 'empty', name };
  const limit = LIMITS_MB[kindOfFile(file)];
  return file.size > limit * MEGABYTE ? { reason: 'tooLarge', name, limit } : null;
}
