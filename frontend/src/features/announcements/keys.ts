/** Names of what the query cache holds of announcements. */
export const announcementKeys = {
  all: ['announcements'] as const,
  pages: ['announcements'] as const,
  /** Without a search: what the top bar shows. */
  newest: ['announcements', ''] as const,
};
