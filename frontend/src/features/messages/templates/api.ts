import { api } from '@/lib/api/client';
import type { Template } from '@/lib/templates/filling';
import type { Message } from '../types';

/** Uploads the file of a header; returns the provider's id for it. */
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
  /** Fixed before the first attempt: a retry with the same id returns the stored message. */
  clientId: string;
}

export const sendTemplate = ({ ticketId, template, components: parts, clientId }: Sending) =>
  api.post<Message>(`/templates/${ticketId}`, {
    template: { id: template.id, name: template.name, language: { code: template.language } },
    components: parts,
    clientId,
  });
