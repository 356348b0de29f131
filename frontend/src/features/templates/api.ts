import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { LibraryChoice, Template, TemplateInput } from './types';

export type * from './types';

type Schemas = components['schemas'];

const FRESH_MS = 5 * 60_000;

export const templateKeys = {
  all: ['templates'] as const,
  ofConnection: (connectionId: number) => ['templates', connectionId] as const,
};

const fetchTemplates = async (connectionId: number, refresh: boolean, signal?: AbortSignal) => {
  const query = { whatsappId: connectionId, ...(refresh && { refresh: 1 }) };
  return (await api.get<Schemas['TemplateList']>('/templates', query, signal)).templates;
};

/** All templates of an official number, in every status. */
export const templatesQuery = (connectionId: number) =>
  queryOptions({
    queryKey: templateKeys.ofConnection(connectionId),
    queryFn: ({ signal }) => fetchTemplates(connectionId, false, signal),
    staleTime: FRESH_MS,
    retry: false,
  });

/** The provider's current list, without the server's cache of some minutes. */
export const refreshedTemplates = (connectionId: number): Promise<Template[]> =>
  fetchTemplates(connectionId, true);

/** Submits a new template, or changes the one with `id`. */
export function useSubmitTemplate(connectionId: number, id?: string) {
  const client = useQueryClient();
  const path = `/whatsapp/${connectionId}/templates`;
  return useMutation({
    mutationFn: (body: TemplateInput) =>
      id ? api.put<Template>(`${path}/${id}`, body) : api.post<Template>(path, body),
    onSettled: () => void client.invalidateQueries({ queryKey: templateKeys.all }),
  });
}

export interface LibraryFilters {
  search: string;
  topic: string;
  usecase: string;
  industry: string;
  language: string;
}

/** Meta's template library, as an official number may use it; '' means any. */
export const libraryQuery = (connectionId: number, filters: LibraryFilters) =>
  infiniteQueryOptions({
    queryKey: ['templateLibrary', connectionId, filters] as const,
    queryFn: ({ pageParam, signal }) => {
      const asked = Object.entries({ ...filters, after: pageParam }).filter(([, value]) => value);
      const path = `/whatsapp/${connectionId}/template-library`;
      return api.get<Schemas['LibraryPage']>(path, Object.fromEntries(asked), signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
    staleTime: FRESH_MS,
    retry: false,
  });

/** Submits a template of the library with what the company filled in. */
export function useSubmitChoice(connectionId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: LibraryChoice) =>
      api.post<Template>(`/whatsapp/${connectionId}/template-library`, body),
    onSettled: () => void client.invalidateQueries({ queryKey: templateKeys.all }),
  });
}

export function useDeleteTemplate(connectionId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/whatsapp/${connectionId}/templates/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: templateKeys.all }),
  });
}

/** Uploads a header's sample; the template refers to it by the returned handle. */
export function uploadSample(connectionId: number, file: File): Promise<{ handle: string }> {
  const form = new FormData();
  form.append('file', file, file.name);
  return api.upload<{ handle: string }>(`/whatsapp/${connectionId}/templates/samples`, form);
}

/**
 * Uploads the header file of a message from an official number; returns the provider's media id.
 */
export function uploadHeaderFile(connectionId: number, file: File): Promise<{ id: string }> {
  const form = new FormData();
  form.append('messaging_product', 'whatsapp');
  form.append('type', file.type);
  form.append('whatsappId', String(connectionId));
  form.append('file', file, file.name);
  return api.upload<{ id: string }>('/template/media', form);
}
