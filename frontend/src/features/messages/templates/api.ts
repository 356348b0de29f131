import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { Message } from '../types';
import type { Template } from './filling';

type Schemas = components['schemas'];

const FRESH_MS = 5 * 60_000;

const templateKeys = {
  ofConnection: (connectionId: number) => ['templates', connectionId] as const,
};

const fetchTemplates = async (connectionId: number, refresh: boolean, signal?: AbortSignal) => {
  const query = { whatsappId: connectionId, ...(refresh && { refresh: 1 }) };
  return (await api.get<Schemas['TemplateList']>('/templates', query, signal)).templates;
};

/** All templates of an official number, whatever their status. */
export const templatesQuery = (connectionId: number) =>
  queryOptions({
    queryKey: templateKeys.ofConnection(connectionId),
    queryFn: ({ signal }) => fetchTemplates(connectionId, false, signal),
    staleTime: FRESH_MS,
    retry: false,
  });

/** The list as the provider has it now; the server keeps one for some minutes. */
export const refreshedTemplates = (connectionId: number): Promise<Template[]> =>
  fetchTemplates(connectionId, true);

/** Uploads the file of a header; answers the provider's id of it. */
export function uploadHeader(
  ticketId: number,
  file: File,
  options: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<{ id: string }> {
  const form = new FormData();
  form.append('messaging_product', 'whatsapp');
  form.append('type', file.type);
  form.append('ticketId', String(ticketId));
  form.append('file', file, file.name);
  return api.upload<{ id: string }>('/template/media', form, options);
}

interface Sending {
  ticketId: number;
  template: Template;
  components: object[];
  /** Fixed before the first try: sent again it answers the stored message. */
  clientId: string;
}

export const sendTemplate = ({ ticketId, template, components: parts, clientId }: Sending) =>
  api.post<Message>(`/templates/${ticketId}`, {
    template: { id: template.id, name: template.name, language: { code: template.language } },
    components: parts,
    clientId,
  });
