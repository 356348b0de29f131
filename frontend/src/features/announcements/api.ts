import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPageByRows } from '@/lib/api/pages';
import { announcementKeys } from './keys';
import type { Announcement, AnnouncementInput, AnnouncementPage } from './types';

export type * from './types';

const PAGE_SIZE = 20;
/** Signed addresses of pictures end after 12 hours at the earliest; live events do the rest. */
const FRESH_MS = 30 * 60_000;

/** The newest first; those that are not active come to the super user alone. */
export const announcementsQuery = (search = '') =>
  infiniteQueryOptions({
    queryKey: [...announcementKeys.all, search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<AnnouncementPage>(
        '/announcements',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      nextPageByRows(
        last,
        pages.flatMap(({ records }) => records),
        PAGE_SIZE,
      ),
    staleTime: FRESH_MS,
  });

interface Saving {
  /** Left out for a new one. */
  id?: number | undefined;
  fields: AnnouncementInput;
}

/** Creates or changes one; its picture goes by `uploadPicture` and `removePicture`. */
export function useSaveAnnouncement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: Saving) =>
      id === undefined
        ? api.post<Announcement>('/announcements', fields)
        : api.put<Announcement>(`/announcements/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: announcementKeys.all }),
  });
}

export function uploadPicture(id: number, file: File, onProgress: (share: number) => void) {
  const form = new FormData();
  form.append('typeArch', 'announcements');
  form.append('file', file, file.name);
  return api.upload<Announcement>(`/announcements/${id}/media-upload`, form, { onProgress });
}

export const removePicture = (id: number) => api.delete(`/announcements/${id}/media-upload`);

export function useDeleteAnnouncement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/announcements/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: announcementKeys.all }),
  });
}
