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

/** Files that run when opened. */
const FORBIDDEN =
  /\.(apk|app|bat|cmd|com|cpl|dll|exe|hta|html?|jar|jse?|lnk|mjs|ms[cip]|pif|ps1|reg|scr|sh|svg|vb[es]?|ws[fh]?|xhtml)$/i;

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
  if (FORBIDDEN.test(name) || file.type === 'image/svg+xml' || file.type === 'text/html')
    return { reason: 'forbidden', name };
  if (file.size === 0) return { reason: 'empty', name };
  const limit = LIMITS_MB[kindOfFile(file)];
  return file.size > limit * MEGABYTE ? { reason: 'tooLarge', name, limit } : null;
}
