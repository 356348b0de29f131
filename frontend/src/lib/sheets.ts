import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema';

/** The server's size limit (rules/contact-lists §2). */
const SHEET_BYTES = 20 * 1024 * 1024;

type Schemas = components['schemas'];

/** A row as it would be kept; only contacts have more than a list's people. */
export type SheetRow = Schemas['PreviewRow'] &
  Partial<Pick<Schemas['ContactPreviewRow'], 'username' | 'userId' | 'extraInfo'>>;

/** What a column of a sheet of people may hold. */
export type SheetValue = 'name' | 'number' | 'email' | 'username' | 'userId';

/** Where a sheet has its people; columns count from 0 and are null if the sheet has none. */
export type SheetLayout = Record<'sheet' | 'headerRow', number> &
  Partial<Record<`${SheetValue}Column`, number | null>>;

/** The first rows of a sheet as they would be kept, and the titles of its columns. */
export interface SheetPreview extends SheetLayout {
  columns: string[];
  rows: SheetRow[];
}

export const isRunning = ({ status }: { status: string }) =>
  status === 'waiting' || status === 'running';

/** Throws the server's error for a sheet that is too large, before the upload begins. */
function requireSheetSize({ size }: File) {
  if (size > SHEET_BYTES) throw new ApiError(413, 'ERR_SHEET_TOO_LARGE', '');
}

/** The form of a sheet; without a layout the server guesses the columns. */
export function sheetForm(file: File, layout: SheetLayout | undefined) {
  requireSheetSize(file);
  const form = new FormData();
  form.append('file', file, file.name);
  for (const [key, place] of Object.entries(layout ?? {}))
    if (place !== null) form.append(key, String(place));
  return form;
}

/** The key of all previews: forgotten when a file is chosen, because they tell who is there. */
export const sheetPreviewKey = ['sheetPreview'];

export const sheetPreviewQuery = (path: string, file: File, layout: SheetLayout | undefined) =>
  queryOptions({
    queryKey: [...sheetPreviewKey, path, [file.name, file.size, file.lastModified], layout],
    queryFn: async ({ signal }) =>
      api.upload<SheetPreview>(path, sheetForm(file, layout), { signal }),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
