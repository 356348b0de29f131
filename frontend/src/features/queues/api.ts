import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { changeQueries } from '@/lib/queryClient';
import { fileChanges, type FileChange, type OptionDraft } from './drafts';
import { foldQueues } from './fold';
import type { Queue, QueueForm, QueueInput, QueueUsage, QueueWithOptions } from './types';

export type * from './types';

export const queueKeys = {
  /** All queues, from `GET /queue`. */
  all: ['queues'] as const,
  /** One queue with its menu, for its dialog. */
  one: (id: number) => ['queue', id] as const,
  /** How its questions are asked on its numbers. */
  forms: (id: number) => ['queue', id, 'forms'] as const,
  usage: (id: number) => ['queue', id, 'usage'] as const,
};

/** The company's queues, in their order. */
export const queuesQuery = () =>
  queryOptions({
    queryKey: queueKeys.all,
    queryFn: ({ signal }) => api.get<Queue[]>('/queue', undefined, signal),
  });

/** One queue with its menu; fetched again for each dialog. */
export const queueQuery = (id: number) =>
  queryOptions({
    queryKey: queueKeys.one(id),
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => api.get<QueueWithOptions>(`/queue/${id}`, undefined, signal),
  });

/** How the questions that are asked together are asked on each number of a queue. */
export const queueFormsQuery = (id: number) =>
  queryOptions({
    queryKey: queueKeys.forms(id),
    staleTime: 0,
    queryFn: ({ signal }) => api.get<QueueForm[]>(`/queue/${id}/forms`, undefined, signal),
  });

/** The uses of a queue, shown before it is deleted. */
export const queueUsageQuery = (id: number) =>
  queryOptions({
    queryKey: queueKeys.usage(id),
    staleTime: 0,
    queryFn: ({ signal }) => api.get<QueueUsage>(`/queue/${id}/usage`, undefined, signal),
  });

interface Saving {
  body: QueueInput;
  /** The edited menu: its new files are uploaded after its options are saved. */
  options: readonly OptionDraft[];
}

/** A file of a saved menu whose upload failed. */
interface FailedFile {
  name: string;
  error: unknown;
}

/** Creates a queue with its menu, or changes the one with `id`; then uploads its files. */
export function useSaveQueue(id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, options }: Saving) => {
      const queue = await (id === undefined
        ? api.post<QueueWithOptions>('/queue', body)
        : api.put<QueueWithOptions>(`/queue/${id}`, body));
      const failed: FailedFile[] = [];
      for (const change of fileChanges(options, queue.options)) {
        await sendFile(change).catch((error: unknown) => {
          failed.push({ name: change.name, error });
        });
      }
      return { queue, failed };
    },
    onSuccess: ({ queue }) => {
      changeQueries<Queue[]>(client, queueKeys.all, (queues) =>
        foldQueues(queues, { action: 'update', queue }),
      );
      // Its options may now lead to other queues.
      void client.invalidateQueries({ queryKey: queueKeys.all });
    },
  });
}

function sendFile({ id, file }: FileChange): Promise<unknown> {
  const path = `/queue-options/${id}/media-upload`;
  if (!file) return api.delete(path);
  const form = new FormData();
  form.append('file', file, file.name);
  return api.upload(path, form);
}

/** Saves the new positions of queues, one after the other. */
export function useMoveQueues() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (queues: readonly Queue[]) => {
      for (const { id, orderQueue } of queues)
        await api.put<QueueWithOptions>(`/queue/${id}`, { orderQueue });
    },
    // Optimistic: a refusal restores the old positions.
    onMutate: (queues) => {
      changeQueries<Queue[]>(client, queueKeys.all, (cached) =>
        queues.reduce((list, queue) => foldQueues(list, { action: 'update', queue }), cached),
      );
    },
    onSettled: () => void client.invalidateQueries({ queryKey: queueKeys.all }),
  });
}

/** Deletes a queue; its tickets stay, without a queue. */
export function useDeleteQueue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/queue/${id}`),
    onSuccess: (_, id) => {
      changeQueries<Queue[]>(client, queueKeys.all, (queues) =>
        foldQueues(queues, { action: 'delete', queueId: id }),
      );
    },
  });
}
