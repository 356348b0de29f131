import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];
export type Role = Schemas['Role'];
export type Roles = Schemas['Roles'];
export type RoleInput = Schemas['RoleInputRequest'];

const roles = { path: '/roles', keys: { all: ['roles'] } };

/** The fixed roles and the company's own. */
export const rolesQuery = () =>
  queryOptions({
    queryKey: roles.keys.all,
    queryFn: ({ signal }) => api.get<Roles>('/roles', undefined, signal),
  });

/** Creates a role, or changes the one with `id`. */
export const useSaveRole = (id?: number) => useSaveRow<Role, RoleInput>(roles, id);

export const useDeleteRole = () => useDeleteRow(roles);
