import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import type { Company, CompanyInput, CompanyPage } from './types';

export type * from './types';

const KEY = ['companies'] as const;

const companies = {
  path: '/companies',
  keys: { all: KEY, pages: KEY },
  rowsOf: (page: CompanyPage) => page.companies,
};

/** The companies of the service by their names; the super user's. */
export const companyPagesQuery = (search: string) => ({
  ...pagesQuery(companies, search),
  // Payments move due dates, and nobody is told.
  staleTime: 0,
});

export const useSaveCompany = () => useSaveFields<Company, Partial<CompanyInput>>(companies);

export const useDeleteCompany = () => useDeleteRow(companies);
