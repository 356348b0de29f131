/** Every address of the application. */
export const paths = {
  home: '/',
  login: '/login',
  tickets: '/tickets',
  ticket: (uuid: string) => `/tickets/${uuid}`,
  quickMessages: '/quick-messages',
  connections: '/connections',
  users: '/users',
};
