import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import { announcementKeys } from './keys';
import type { Announcement, AnnouncementInput, AnnouncementPage } from './types';

export type * from './types';

const announcements = {
  path: '/announcements',
  keys: announcementKeys,
  rowsOf: ({ records }: AnnouncementPage) => records,
};

/**
 * Signed addresses of pictures expire after 12 hours at the earliest; live events cover other
 * changes.
 */
const FRESH_MS = 30 * 60_000;

/** Announcements, newest first; only the super user gets inactive ones. */
export const announcementsQuery = (search = '') => ({
  ...pagesQuery(announcements, search),
  staleTime: FRESH_MS,
});

/** Creates or changes one; its picture goes by `uploadPicture` and `removePicture`. */
export const useSaveAnnouncement = () =>
  useSaveFields<Announcement, AnnouncementInput>(announcements);

export function uploadPicture(id: number, file: File, onProgress: (share: number) => void) {
  const form = new FormData();
  form.append('typeArch', 'announcements');
  form.append('file', file, file.name);
  return api.upload<Announcement>(`/announcements/${id}/media-upload`, form, { onProgress });
}

export const removePicture = (id: number) => api.delete(`/announcements/${id}/media-upload`);

export const useDeleteAnnouncement = () => useDeleteRow(announcements);
