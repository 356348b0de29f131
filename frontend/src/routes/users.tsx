export { UsersTable as Component } from '@/features/users/UsersTable';
