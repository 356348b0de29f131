import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import type { Company, CompanyInput, CompanyPage } from './types';

export type * from './types';

const KEY = ['companies'] as const;

const companies = {
  path: '/companies',
  keys: { all: KEY, pages: KEY },
  rowsOf: (page: CompanyPage) => page.companies,
};

/** All companies by name; for the super user. */
export const companyPagesQuery = (search: string) => ({
  ...pagesQuery(companies, search),
  // Payments change due dates without an event.
  staleTime: 0,
});

export const useSaveCompany = () => useSaveFields<Company, Partial<CompanyInput>>(companies);

export const useDeleteCompany = () => useDeleteRow(companies);
