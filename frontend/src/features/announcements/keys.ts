/** Query keys of announcements. */
export const announcementKeys = {
  all: ['announcements'] as const,
  pages: ['announcements'] as const,
  /** Without a search: the announcements of the top bar. */
  newest: ['announcements', ''] as const,
};
