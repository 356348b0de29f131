/** Query keys of file lists. */
export const fileListKeys = {
  all: ['fileLists'] as const,
  pages: ['fileLists', 'pages'] as const,
  options: ['fileLists', 'options'] as const,
};
