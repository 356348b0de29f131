import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { User, UserInput, UsersPage } from './types';

export type * from './types';

const users = {
  path: '/users',
  keys: { all: ['users'], pages: ['users', 'list'] },
  rowsOf: (page: UsersPage) => page.users,
};

/** The users that a search finds. */
export const usersQuery = (search: string) => pagesQuery(users, search);

/** Every user of the company, for choosing some. */
export const userOptionsQuery = () =>
  queryOptions({
    queryKey: ['users', 'options'] as const,
    queryFn: ({ signal }) => api.get<User[]>('/users/list', undefined, signal),
  });

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', 'id', id] as const,
    // A form starts with what is stored now, never with what it was at the last opening.
    gcTime: 0,
    queryFn: ({ signal }) => api.get<User>(`/users/${id}`, undefined, signal),
  });

/** Creates a user, or changes the one with `id`. */
export const useSaveUser = (id?: number) => useSaveRow<User, UserInput>(users, id);

export const useDeleteUser = () => useDeleteRow(users);
