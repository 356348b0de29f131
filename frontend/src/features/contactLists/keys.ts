/** Query keys of contact lists. */
export const contactListKeys = {
  all: ['contactLists'] as const,
  pages: ['contactLists', 'pages'] as const,
  options: ['contactLists', 'options'] as const,
  one: (id: number) => ['contactLists', 'one', id] as const,
  items: ['contactListItems'] as const,
  itemsOf: (id: number) => ['contactListItems', id] as const,
};
