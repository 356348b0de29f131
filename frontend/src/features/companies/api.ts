import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import type { Company, CompanyInput, CompanyPage } from './types';

export type * from './types';

const KEY = ['companies'] as const;

/** The companies of the service by their names; the super user's. */
export const companyPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...KEY, search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<CompanyPage>(
        '/companies',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    // Payments move due dates, and nobody is told.
    staleTime: 0,
  });

interface Saving {
  /** Left out for a new one. */
  id?: number | undefined;
  fields: Partial<CompanyInput>;
}

export function useSaveCompany() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: Saving) =>
      id === undefined
        ? api.post<Company>('/companies', fields)
        : api.put<Company>(`/companies/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteCompany() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/companies/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}
