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

export const usersQuery = (search: string) => pagesQuery(users, search);

/** All users of the company, for selectors. */
export const userOptionsQuery = () =>
  queryOptions({
    queryKey: ['users', 'options'] as const,
    queryFn: ({ signal }) => api.get<User[]>('/users/list', undefined, signal),
  });

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', 'id', id] as const,
    // A form starts with the stored values, not with those of its previous opening.
    gcTime: 0,
    queryFn: ({ signal }) => api.get<User>(`/users/${id}`, undefined, signal),
  });

/** Creates a user, or changes the one with `id`. */
export const useSaveUser = (id?: number) => useSaveRow<User, UserInput>(users, id);

export const useDeleteUser = () => useDeleteRow(users);
