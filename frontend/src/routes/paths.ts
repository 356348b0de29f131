/** Every address of the application. */
export const paths = {
  home: '/',
  login: '/login',
  tickets: '/tickets',
  ticket: (uuid: string) => `/tickets/${uuid}`,
  kanban: '/kanban',
  quickMessages: '/quick-messages',
  schedules: '/schedules',
  tags: '/tags',
  connections: '/connections',
  users: '/users',
};
