/** Query keys of helps. */
export const helpKeys = {
  /** All helps in one list, for the page. */
  all: ['helps', 'all'] as const,
  pages: ['helps', 'pages'] as const,
};
