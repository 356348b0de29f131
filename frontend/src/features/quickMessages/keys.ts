/** Query keys of quick messages. */
export const quickMessageKeys = {
  all: ['quickMessages'] as const,
  options: ['quickMessages', 'options'] as const,
  pages: ['quickMessages', 'pages'] as const,
};
