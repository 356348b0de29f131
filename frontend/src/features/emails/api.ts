import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { EmailForm } from './schemas';
import type { Email, EmailPage, SentEmails } from './types';

export type * from './types';

export const PAGE_SIZE = 5;
const ALL = ['emails'] as const;
/** The polling interval while an e-mail is waiting. */
const LOOK_MS = 3000;

const isWaiting = (page: EmailPage | undefined) =>
  page?.emails.some(({ status }) => status === 'waiting') ?? false;

/** A page of sent e-mails, newest first; polled while one is waiting. */
export const emailsQuery = (pageNumber: number) =>
  queryOptions({
    queryKey: [...ALL, pageNumber] as const,
    queryFn: ({ signal }) => api.get<EmailPage>('/emails', { pageNumber }, signal),
    refetchInterval: ({ state }) => (isWaiting(state.data) ? LOOK_MS : false),
  });

export function useSendEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: EmailForm) => api.post<SentEmails>('/emails', form),
    onSettled: () => void client.invalidateQueries({ queryKey: ALL }),
  });
}

export function useResendEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post<Email>(`/emails/${id}/resend`),
    onSettled: () => void client.invalidateQueries({ queryKey: ALL }),
  });
}
