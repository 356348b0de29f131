import type { InfiniteData } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { everyRowQuery, pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import { queryClient } from '@/lib/queryClient';
import { fileListKeys } from './keys';
import type { FileList, FileListInput, FileListPage } from './types';

export type * from './types';
export { useFileListEvents } from './events';

/**
 * Signed addresses of files expire after 12 hours at the earliest; live events cover other changes.
 */
const FRESH_MS = 30 * 60_000;

const fileLists = {
  path: '/files',
  keys: fileListKeys,
  rowsOf: ({ files }: FileListPage) => files,
};

/** The company's file lists by name, each with its files. */
export const fileListPagesQuery = (search: string) => ({
  ...pagesQuery(fileLists, search),
  staleTime: FRESH_MS,
});

/** All lists, to choose from. */
export const fileListOptionsQuery = () => everyRowQuery(fileLists);

/** The last known signed path of a list's file; undefined if there is none. */
export const freshListFilePath = (itemId: number): string | undefined =>
  queryClient
    .getQueriesData<InfiniteData<FileListPage>>({ queryKey: fileListKeys.pages })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ files }) => files)
    .flatMap(({ options }) => options)
    .find(({ id }) => id === itemId)?.path ?? undefined;

/** Creates or changes a list; `uploadListFile` uploads the files themselves. */
export const useSaveFileList = () => useSaveFields<FileList, FileListInput>(fileLists);

/** Uploads the file of a list's option; `onProgress` gets the uploaded share. */
export function uploadListFile(
  id: number,
  option: { id: number; name: string },
  file: File,
  onProgress: (share: number) => void,
) {
  const form = new FormData();
  form.append('fileId', String(id));
  form.append('typeArch', 'fileList');
  form.append('files', file, file.name);
  form.append('mediaType', file.type);
  form.append('name', option.name);
  form.append('id', String(option.id));
  return api.upload<FileList>(`/files/uploadList/${id}`, form, { onProgress });
}

export const useDeleteFileList = () => useDeleteRow(fileLists);
