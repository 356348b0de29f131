import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type User = Schemas['User'];
export type UserInput = Schemas['UserInputRequest'];
type UsersPage = Schemas['UserPage'];

export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['users', 'list', search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<UsersPage>('/users/', { searchParam: search.trim(), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last: UsersPage, pages) => (last.hasMore ? pages.length + 1 : undefined),
  });

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
export function useSaveUser(id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UserInput) =>
      id === undefined ? api.post<User>('/users', body) : api.put<User>(`/users/${id}`, body),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['users'] }),
  });
}

export function useDeleteUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/users/${id}`),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['users'] }),
  });
}
