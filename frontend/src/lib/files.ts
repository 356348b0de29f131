import fileTypes from './fileTypes.json';

/** File rules of the server, checked before an upload (rules/messages §5). */

const MEGABYTE = 1024 * 1024;

export type FileKind = 'image' | 'audio' | 'video' | 'application';

/** The size limits of WhatsApp, in MB for each kind. */
export const LIMITS_MB: Readonly<Record<FileKind, number>> = {
  image: 5,
  audio: 16,
  video: 16,
  application: 100,
};
export const MAX_FILES = 30;

/** The allowed file extensions; a test of the server compares this list with its own. */
const ENDINGS = new Set(fileTypes);

/**
 * Whether the file has an allowed extension; the `.50` of a price in a name is not an extension.
 */
function isListed({ name, type }: File): boolean {
  const ending = /\.([^.\s]+)[. ]*$/.exec(name)?.[1] ?? '';
  return /\p{L}/u.test(ending) ? ENDINGS.has(ending.toLowerCase()) : type !== '';
}

export function kindOfMime(mime: string): FileKind {
  const family = mime.split('/')[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'application';
}

/** The address of a stored file: `mediaPath` of a quick message is a full URL, others are paths. */
export const fileAddress = (mediaPath: string): string =>
  /^https?:/.test(mediaPath) ? mediaPath : `/api/public/${mediaPath}`;

export const kindOfFile = (file: File): FileKind => kindOfMime(file.type);

type Refusal =
  | { reason: 'forbidden'; name: string }
  | { reason: 'empty'; name: string }
  | { reason: 'tooLarge'; name: string; limit: number };

/** The reason why a file cannot be sent; null if it can. `limit` is in MB. */
export function refusalOf(file: File): Refusal | null {
  const { name } = file;
  if (!isListed(file) || file.type === 'image/svg+xml' || file.type === 'text/html')
    return { reason: 'forbidden', name };
  if (file.size === 0) return { reason: 'empty', name };
  const limit = LIMITS_MB[kindOfFile(file)];
  return file.size > limit * MEGABYTE ? { reason: 'tooLarge', name, limit } : null;
}
