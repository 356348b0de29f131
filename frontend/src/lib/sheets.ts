import { ApiError } from '@/lib/api/errors';

/** What the server takes (rules/contact-lists §2). */
const SHEET_BYTES = 20 * 1024 * 1024;

/** Throws the server's refusal of a sheet that is too large, before anybody waits for its upload. */
export function requireSheetSize({ size }: File) {
  if (size > SHEET_BYTES) throw new ApiError(413, 'ERR_SHEET_TOO_LARGE', '');
}
