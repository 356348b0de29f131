import { ApiError } from '@/lib/api/errors';

/** The server's size limit (rules/contact-lists §2). */
const SHEET_BYTES = 20 * 1024 * 1024;

/** Throws the server's error for a sheet that is too large, before the upload begins. */
export function requireSheetSize({ size }: File) {
  if (size > SHEET_BYTES) throw new ApiError(413, 'ERR_SHEET_TOO_LARGE', '');
}
