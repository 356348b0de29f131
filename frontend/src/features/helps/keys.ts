/** Names of what the query cache holds of helps. */
export const helpKeys = {
  /** All at once, as the page shows them. */
  all: ['helps', 'all'] as const,
  pages: ['helps', 'pages'] as const,
};
