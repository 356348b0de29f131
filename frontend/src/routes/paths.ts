/** Every address of the application. */
export const paths = {
  home: '/',
  login: '/login',
  tickets: '/tickets',
  ticket: (uuid: string) => `/tickets/${uuid}`,
  kanban: '/kanban',
  quickMessages: '/quick-messages',
  schedules: '/schedules',
  /** The schedules page with its form open for a contact. */
  scheduleFor: (contactId: number) => `/schedules?contactId=${contactId}`,
  contacts: '/contacts',
  tags: '/tags',
  connections: '/connections',
  queues: '/queues',
  users: '/users',
  templates: '/message-templates',
  integrations: '/queue-integration',
  prompts: '/prompts',
  files: '/files',
  contactLists: '/contact-lists',
  contactList: (id: number | ':id') => `/contact-lists/${id}/contacts`,
  settings: '/settings',
};
